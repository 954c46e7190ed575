import { readFileSync } from "node:fs";

/**
 * One way to break the plugin, and the test that must see it. \`find\` occurs once in the file; \`test\` is the
 * beginning of the full name of a test in \`test/plugin/SUITE.test.ts\`.
 *
 * @typedef {{ what: string, file: string, find: string, replace: string, suite: string, test: string }} Mutation
 */

/** Every check of the fence, switched off. A check that is added appears here by itself. */
function fenceMutations(root) {
  const file = "src/plugin/fence.ts";
  const source = readFileSync(`${root}/${file}`, "utf8");
  return Array.from(
    source.matchAll(/name: "([^"]+)",\n\s*reason: "[a-z_]+",\n\s*holds:/g),
    ([find, name]) => ({
      what: `the fence without: ${name}`,
      file,
      find,
      replace: find.replace("holds:", "holds: () => true,\n    switchedOff:"),
      suite: "fence",
      test:
        name === "SQLite reads the row as it is written"
          ? "the fence what stays keeps every byte: a preview is refused"
          : `the fence ${name}: a prune is refused`,
    }),
  );
}

const inFile = (file, suite) => (what, find, replace, test) => ({ what, file, find, replace, suite, test });

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
    "const receipt = findReceipt(database, key);",
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
    "  insertReceipt(database, key, request, pruned);\n",
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
    "canonicalJson({ ...request, indexes })",
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

const service = inFile("src/plugin/service.ts", "lock");
const calls = [
  service(
    "no look at the lock",
    'if (database.isLocked()) return blocked("maintenance_required");',
    "",
    "a database that somebody else holds is told at once",
  ),
  service(
    "an abort before",
    "signal?.throwIfAborted();\n    const database",
    "const database",
    "a caller that aborts before",
  ),
  service("an abort meanwhile", "signal?.throwIfAborted();\n      if", "if", "a caller that aborts while"),
  service(
    "a disposed database",
    'if (this.keeper.database() !== database) return blocked("unavailable");',
    "",
    "the database file is touched by nobody",
  ),
  service(
    "a nonce that stays after a refusal",
    "if (!consumed) await this.identity.release",
    "if (false) await this.identity.release",
    "a nonce that cannot be removed after a refusal",
  ),
  {
    ...service(
      "a preview without proof",
      "if (!database.isProven)",
      "if (false)",
      "the fence the identity nonce is visible: a preview",
    ),
    suite: "fence",
  },
  {
    ...service(
      "no event",
      "        this.announce({",
      "        void ({",
      "receipts make the same request answer the same",
    ),
    suite: "receipts",
  },
  {
    ...service(
      "a broken connection that is kept",
      "if (!isBusy(error.resultCode)) this.keeper.close();",
      "",
      "a database that has no room left",
    ),
    suite: "faults",
  },
  {
    ...service(
      "a full disk that is something else",
      "    case SQLITE_FULL:\n",
      "",
      "a database that has no room left",
    ),
    suite: "faults",
  },
];

const identity = inFile("src/plugin/identity.ts", "lock");
const nonces = [
  identity(
    "a write that is waited for",
    "const WRITE_LIMIT = 600;",
    "const WRITE_LIMIT = 60_000;",
    "a daemon that does not write the nonce in time",
  ),
  identity(
    "a late nonce that stays",
    "void writing.then(() => this.#removeLater(nonce, FIRST_RETRY, () => false));",
    "",
    "a daemon that does not write the nonce in time",
  ),
  identity(
    "a removal that is waited for",
    "const REMOVAL_LIMIT = 200;",
    "const REMOVAL_LIMIT = 60_000;",
    "a nonce whose removal hangs",
  ),
  identity(
    "a removal under somebody's lock",
    "if (isLocked()) return",
    "if (false) return",
    "a database that somebody else holds is told when it was taken",
  ),
  identity(
    "a retry under somebody's lock",
    "!isLocked() && (await",
    "(await",
    "a database that somebody else holds is told when it was taken",
  ),
  identity(
    "a removal that is not tried again",
    'if (outcome === "failed") this.#removeLater',
    "if (false) this.#removeLater",
    "a nonce that cannot be removed after a refusal",
  ),
  identity("no sweep", "    this.#sweepOnce();\n", "", "a nonce that a killed daemon left"),
  identity(
    "a sweep of everything",
    "return !(Math.abs(Date.now() - written) < ABANDONED_AFTER);",
    "return true;",
    "a nonce that a killed daemon left",
  ),
];

const standing = inFile("src/plugin/standing.ts", "lifecycle");
const lifecycle = [
  standing(
    "the published plugin is not looked for",
    "plugin.id === PUBLISHED_PLUGIN_ID && ",
    "false && ",
    "standing down for the published plugin registers nothing",
  ),
  standing(
    "any state of the published plugin",
    ' && plugin.state.status === "active"',
    "",
    "standing down for the published plugin minds only an active one",
  ),
  standing(
    "no second look",
    'event.type === "plugin.updated"',
    "false",
    "standing down for the published plugin gives way",
  ),
  standing(
    "a second registration",
    "if (shallServe && !this.#registration)",
    "if (shallServe)",
    "standing down for the published plugin gives way",
  ),
  standing(
    "a registration that stays",
    "      await registration.dispose();\n",
    "",
    "the plugin takes its registration away",
  ),
  standing(
    "a return after the end",
    "!this.#ended.signal.aborted && ",
    "",
    "standing down for the published plugin does not come back",
  ),
  standing(
    "an event that fails the prune",
    "    } catch {\n      // What was committed",
    "    } catch (error) {\n      throw error;\n      // What was committed",
    "the plugin does not fail a prune whose event",
  ),
];

const database = inFile("src/plugin/pruning-database.ts", "lock");
const databases = [
  database(
    "another file in the same place",
    "this.#open.file === file",
    "true",
    "the database file is opened again",
  ),
  {
    ...database(
      "a schema that is read once",
      "if (this.#schema?.version !== version)",
      "if (this.#schema === undefined)",
      "the fence notices what appears after",
    ),
    suite: "fence",
  },
];

const path = inFile("src/plugin/database-path.ts", "database-path");
const paths = [
  path("a relative option", " || !isAbsolute(path)", "", "the database path is the option's"),
  path(
    "a network path on Windows",
    'settings.platform === "win32" && ',
    "false && ",
    "the database path is no network path",
  ),
];

const contract = inFile("src/contract/rpc.ts", "input");
const inputs = [
  contract(
    "unknown keys",
    "export const PruneInput = z.strictObject",
    "export const PruneInput = z.object",
    "a malformed prune with an unknown key",
  ),
  contract(
    "duplicate indexes",
    "new Set(indexes).size === indexes.length",
    "true",
    "a malformed prune with duplicate indexes",
  ),
  contract("fractional indexes", ".int(INDEX_RULE)", "", "a malformed prune with a fractional index"),
  contract("negative indexes", ".min(0, INDEX_RULE)", "", "a malformed prune with a negative index"),
  contract(
    "an index past the last",
    ".max(MAX_PART_INDEX, INDEX_RULE)",
    "",
    "a malformed prune with an index past the last",
  ),
  contract(
    "any revision",
    "/^[0-9a-f]{64}$/",
    "/^[0-9a-fA-F]*$/",
    "a malformed prune with an upper-case revision",
  ),
  contract("empty ids", ".min(1, rule)", "", "a malformed prune with an empty session id"),
  contract("long ids", ".max(MAX_ID_LENGTH, rule)", "", "a malformed prune with a session id of 300"),
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

/** @returns {Mutation[]} */
export function mutations(root) {
  return [
    ...fenceMutations(root),
    ...details,
    ...transactions,
    ...edits,
    ...texts,
    ...receipts,
    ...releases,
    ...calls,
    ...nonces,
    ...lifecycle,
    ...databases,
    ...paths,
    ...large,
    ...inputs,
  ];
}
