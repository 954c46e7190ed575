import { inFile } from "./in-file.mjs";

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
    'if (this.keeper.database() !== database) return blocked("unavailable");\n      const done',
    "const done",
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

const batch = inFile("src/plugin/batch/batch-service.ts", "large");
const batches = [
  batch(
    "a large message that a bulk call reads under the lock",
    "(await this.#readAhead(database, messageID));",
    "undefined;",
    "a large message in a call of pruneBulk lets others work while it is read",
  ),
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
    "      await this.#reconsider().catch(() => {});\n",
    "",
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
    "!this.#ended && ",
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
const member = inFile("src/contract/members.ts", "input");
const inputs = [
  contract(
    "unknown keys",
    "export const PruneInput = z.strictObject",
    "export const PruneInput = z.object",
    "a malformed prune with an unknown key",
  ),
  member(
    "duplicate indexes",
    "new Set(numbers).size === numbers.length",
    "true",
    "a malformed prune with duplicate indexes",
  ),
  member("fractional indexes", ".int(INDEX_RULE)", "", "a malformed prune with a fractional index"),
  member("negative indexes", ".min(0, INDEX_RULE)", "", "a malformed prune with a negative index"),
  member(
    "an index past the last",
    ".max(MAX_PART_INDEX, INDEX_RULE)",
    "",
    "a malformed prune with an index past the last",
  ),
  member(
    "any revision",
    "/^[0-9a-f]{64}$/",
    "/^[0-9a-fA-F]*$/",
    "a malformed prune with an upper-case revision",
  ),
  member("empty ids", ".min(1, rule)", "", "a malformed prune with an empty session id"),
  member("long ids", ".max(MAX_ID_LENGTH, rule)", "", "a malformed prune with a session id of 300"),
];

/** What surrounds a prune: calls, nonces, the plugin's life, the file, the input. */
export const serviceMutations = [
  ...calls,
  ...batches,
  ...nonces,
  ...lifecycle,
  ...databases,
  ...paths,
  ...inputs,
];
