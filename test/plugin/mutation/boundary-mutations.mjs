import { readFileSync } from "node:fs";
import { inFile } from "./in-file.mjs";

/** Checks that a plain prune does not show, and the tests that do. */
const SEEN_ELSEWHERE = {
  "SQLite reads the row as it is written": {
    suite: "fence",
    test: "the fence what stays keeps every byte: a preview is refused",
  },
  "the parts are as many as the caller saw": {
    suite: "batch",
    test: "pruneBatch refuses one message and prunes the others",
  },
  "there is a part to delete": {
    suite: "batch",
    test: "pruneBatch refuses a message without technical parts",
  },
};

/** Every check of the fence, switched off. A check that is added appears here by itself. */
function fenceMutations(root) {
  const file = "src/plugin/fence.ts";
  const source = readFileSync(`${root}/${file}`, "utf8");
  const checks = source.matchAll(/name: "([^"]+)",\n\s*reason: "[a-z_]+",\n\s*holds:/g);
  return Array.from(checks, ([find, name]) => ({
    what: `the fence without: ${name}`,
    file,
    find,
    replace: find.replace("holds:", "holds: () => true,\n    switchedOff:"),
    suite: "fence",
    test: `the fence ${name}: a prune is refused`,
    ...SEEN_ELSEWHERE[name],
  }));
}

const fence = inFile("src/plugin/fence.ts", "fence");
const belongs = "the fence the session belongs to this location: a prune is refused";
const details = [
  fence("any directory", "session.directory === location.directory &&", "", belongs),
  fence("any project", "session.project_id === location.project.id &&", "", belongs),
  fence(
    "any workspace",
    "(session.workspace_id ?? null) === (location.workspaceID ?? null)",
    "true",
    belongs,
  ),
  fence(
    "claims of unknown columns",
    "return known && ",
    "return ",
    "the fence the claims are of a kind that is known",
  ),
  fence(
    "no kind of claim at all",
    "return known && (durable",
    "return known && (true || durable",
    "the fence the claims are of a kind that is known",
  ),
];

const transaction = inFile("src/plugin/transaction.ts", "receipts");
const transactions = [
  transaction(
    "a retry that does not look for its receipt",
    "const receipt = findReceipt(facts, key);",
    "const receipt = undefined;",
    "receipts make the same request answer the same",
  ),
  transaction(
    "a receipt for content that is back",
    "if (receipt && !isRestored(facts, request))",
    "if (receipt)",
    "receipts do not claim a deletion of content that was put back",
  ),
  transaction(
    "a replay that checks nothing",
    "if (foreign) return",
    "if (false) return",
    "receipts are not answered to another location",
  ),
  transaction(
    "no receipt",
    "  insertReceipt(facts, key, request, pruned);\n",
    "",
    "receipts hold ids, hashes and counts",
  ),
  transaction(
    "a commit that never happens",
    'database.statement("COMMIT").run();',
    'database.statement("ROLLBACK").run();',
    "receipts make the same request answer the same",
  ),
  {
    ...transaction(
      "a refusal that commits",
      '    } else {\n      database.statement("ROLLBACK").run();',
      '    } else {\n      database.statement("COMMIT").run();',
      "the fence what stays keeps every byte: a prune is refused",
    ),
    suite: "fence",
  },
  {
    ...transaction(
      "a failure that leaves the transaction open",
      "    rollBack(database);\n    throw error;",
      "    throw error;",
      "a transaction that fails at any of its statements",
    ),
    suite: "faults",
  },
  {
    ...transaction(
      "an edit that need not be faithful",
      "if (!isFaithful)",
      "if (false)",
      "the fence what stays keeps every byte: a prune is refused",
    ),
    suite: "fence",
  },
  {
    ...transaction(
      "a nonce that outlives its commit",
      "      consumeNonce(database, subject);\n",
      "",
      "a nonce is fresh for every request",
    ),
    suite: "lock",
  },
  {
    ...transaction(
      "reads before the lock",
      'database.statement("BEGIN IMMEDIATE").run();',
      'database.statement("BEGIN").run();',
      "a database that somebody else holds is held by a prune",
    ),
    suite: "lock",
  },
  {
    ...transaction(
      "media that is never released",
      "  releaseMedia(database, request.messageID",
      "  void releaseMedia; void (database, request.messageID",
      "media that the removed parts name is released",
    ),
    suite: "media",
  },
];

const edit = inFile("src/plugin/edit.ts", "fence");
const edits = [
  edit(
    "a result that is not compared",
    "return row?.faithful === 1;",
    "return row !== undefined;",
    "the fence what stays keeps every byte: a prune is refused",
  ),
  edit(
    "no compare-and-set",
    "AND data = ? COLLATE BINARY",
    "AND (1 OR data = ? COLLATE BINARY)",
    "the fence what stays keeps every byte: a prune is refused",
  ),
  {
    ...edit(
      "removal from the front",
      "(one, other) => other - one",
      "(one, other) => one - other",
      "receipts make the same request answer the same",
    ),
    suite: "receipts",
  },
  {
    ...edit(
      "many parts, the wrong ones",
      "part.key NOT IN",
      "part.key + 1 NOT IN",
      "what stays keeps every byte when many parts go at once",
    ),
    suite: "fidelity.property",
  },
];

const spans = inFile("src/plugin/content-spans.ts", "fidelity.property");
const texts = [
  {
    ...spans(
      "the first of two contents",
      " || others.length > 0",
      "",
      "the fence the row is a JSON object with one content array",
    ),
    suite: "fence",
  },
  spans(
    "escaped quotes that end a string",
    "while (quote !== -1 && isEscaped(text, quote))",
    "while (false)",
    "what stays is found in any JSON text",
  ),
  spans("a comma too many", 'kept.join(",")', 'kept.join(",,")', "what stays is found in any JSON text"),
  {
    ...spans(
      "another part cut",
      "!gone.has(index)",
      "!gone.has(index + 1)",
      "any history and any sequence of prunes and native writes",
    ),
    suite: "history.property",
  },
];

const receipt = inFile("src/plugin/receipts.ts", "receipts");
const receipts = [
  receipt(
    "the order of the indexes counts",
    ".sort((one, other) => one - other)",
    "",
    "receipts know the request in any order",
  ),
  receipt(
    "a receipt for every request",
    "canonicalJson(inOrder)",
    "canonicalJson({ messageID: request.messageID })",
    "receipts never match a different request",
  ),
];

const media = inFile("src/plugin/media.ts", "media");
const releases = [
  media(
    "a blob that others keep",
    " AND NOT EXISTS (SELECT 1 FROM blob_ref WHERE hash = blob.hash)",
    "",
    "media that the removed parts name stays while another message",
  ),
  media(
    "everybody's references",
    "WHERE hash = ? AND message_id = ?",
    "WHERE hash = ? OR message_id = ?",
    "media that the removed parts name stays while another message",
  ),
  media(
    "references that kept parts name",
    "removed.delete(hash);",
    "",
    "media that the removed parts name stays while a kept part",
  ),
  media(
    "blobs that are only mentioned",
    "if (released.changes === 0) continue;",
    "",
    "media that the removed parts name stays where a text merely",
  ),
  {
    ...media(
      "tables of another shape",
      "shape.columns.size === columns.length &&",
      "",
      "the fence media references are of a kind that is known",
    ),
    suite: "fence",
  },
];

const facts = inFile("src/plugin/facts.ts", "large");
const large = [
  facts(
    "a message that is believed as it was read ahead",
    "if (readAhead && this.#isStored(readAhead.text))",
    "if (readAhead)",
    "a large message that changes after it was read ahead",
  ),
  {
    ...facts(
      "a large message that nobody else can work beside",
      "await new Promise((resolve) => setImmediate(resolve));",
      "",
      "a large message of very many parts",
    ),
    file: "src/plugin/stored-message.ts",
  },
];

/** What decides about a prune, and carries it out. */
export function boundaryMutations(root) {
  return [
    ...fenceMutations(root),
    ...details,
    ...transactions,
    ...edits,
    ...texts,
    ...receipts,
    ...releases,
    ...large,
  ];
}
