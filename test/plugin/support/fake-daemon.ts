import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ZodType } from "zod";
import { READING_RPC } from "../../../src/contract/index.ts";
import type { PluginHost, RpcDefinition, RpcMethods } from "../../../src/plugin/host.ts";
import type { Lease } from "../../../src/plugin/reading/index.ts";
import { setUp } from "../../../src/plugin/setup.ts";
import type { OpenSqlite } from "../../../src/plugin/sqlite.ts";
import { openBetterSqlite } from "./better-sqlite.ts";
import { leaseInProcess } from "./in-process-thread.ts";
import { NATIVE_SCHEMA } from "./native-schema.ts";

export const DIRECTORY = "/work/project";
export const PROJECT = "project_1";
export const SESSION = "ses_1";
export const MESSAGE = "msg_1";

/** Answers of the plugin, of whatever shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Answer = any;

export interface FakeDaemonOptions {
  /** The reading thread; by default one that nobody else shares. */
  readonly lease?: Lease;
  readonly open?: OpenSqlite;
  readonly location?: PluginHost["location"];
  /** Another database file than the daemon's own, as a wrong configuration would name it. */
  readonly databasePath?: string;
  readonly plugins?: { readonly id: string; readonly state: { readonly status: string } }[];
}

/**
 * The daemon as the plugin sees it, in this process: a real database file with the daemon's tables, storage
 * that is written through a connection of its own, and an RPC that checks inputs as the daemon does.
 */
export class FakeDaemon {
  readonly path: string;
  database: Database.Database;
  readonly emitted: { name: string; data: unknown }[] = [];
  /** Registrations of the pruning RPC, the serving one last. */
  readonly registered: { definition: RpcDefinition; methods: RpcMethods }[] = [];
  /** Registrations of the reading RPC, the serving one last. */
  readonly registeredReading: { definition: RpcDefinition; methods: RpcMethods }[] = [];
  readonly plugins: { id: string; state: { status: string } }[] = [];
  /** Replace these to make the daemon slow, failing or spying. */
  beforeStorageSet: (key: string) => Promise<void> | void = () => {};
  afterStorageSet: (key: string) => void = () => {};
  beforeStorageRemove: (key: string) => Promise<void> | void = () => {};
  emit: (name: string, data: unknown) => unknown = (name, data) => this.emitted.push({ name, data });
  storageCalls: string[] = [];

  #disposers: (() => Promise<void>)[] = [];

  /** On a fresh folder, or on the one that an earlier instance left. */
  constructor(readonly folder = mkdtempSync(join(tmpdir(), "opencode-prune-unit-"))) {
    this.path = join(this.folder, "opencode.db");
    const isNew = !existsSync(this.path);
    this.database = new Database(this.path);
    this.database.pragma("journal_mode = WAL");
    this.database.pragma("synchronous = OFF");
    if (isNew) this.database.exec(NATIVE_SCHEMA);
  }

  async load(options: FakeDaemonOptions = {}): Promise<() => Promise<void>> {
    const open = options.open ?? openBetterSqlite;
    const dispose = await setUp(this.host(options), open, options.lease ?? leaseInProcess(open));
    this.#disposers.push(dispose);
    return dispose;
  }

  host(options: FakeDaemonOptions = {}): PluginHost {
    return {
      location: options.location ?? { directory: DIRECTORY, project: { id: PROJECT } },
      app: { channel: "latest" },
      options: { databasePath: options.databasePath ?? this.path },
      storage: {
        set: async (key, value) => {
          this.storageCalls.push(`set ${key}`);
          await this.beforeStorageSet(key);
          this.database
            .prepare(
              "INSERT INTO kv VALUES (?, ?, 1, 1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )
            .run(KV_PREFIX + key, JSON.stringify(value));
          this.afterStorageSet(key);
        },
        remove: async (key) => {
          this.storageCalls.push(`remove ${key}`);
          await this.beforeStorageRemove(key);
          this.database.prepare("DELETE FROM kv WHERE key = ?").run(KV_PREFIX + key);
        },
        scan: async ({ prefix }) => ({
          entries: this.database
            .prepare<[string], { key: string }>("SELECT key FROM kv WHERE key LIKE ?")
            .all(`${KV_PREFIX}${prefix}%`)
            .map(({ key }) => ({ key: key.slice(KV_PREFIX.length) })),
        }),
      },
      plugin: { list: async () => ({ data: this.plugins }) },
      rpc: {
        register: async (definition, methods) => {
          const registration = { definition, methods };
          const all = definition.id === READING_RPC ? this.registeredReading : this.registered;
          all.push(registration);
          return {
            dispose: async () => {
              all.splice(all.indexOf(registration), 1);
            },
            events: { emit: async (name, data) => this.emit(name, data) },
          };
        },
      },
    };
  }

  /** Tells the loaded plugins that something happened, and lets them react. */

  async call(method: string, input: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.#call(this.registered.at(-1), method, input, signal);
  }

  /** A call of the reading RPC. */
  async read(method: string, input: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.#call(this.registeredReading.at(-1), method, input, signal);
  }

  async #call(
    serving: FakeDaemon["registered"][number] | undefined,
    method: string,
    input: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const schema = serving?.definition.methods[method]?.input as ZodType | undefined;
    const run = serving?.methods[method];
    if (!serving || !schema || !run) throw new Error("rpc.unavailable");
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw new Error(`rpc.invalid_input: ${parsed.error.issues[0]?.message}`);
    return run(parsed.data as never, signal ? { signal } : {});
  }

  insertSession(id = SESSION, columns: Readonly<Record<string, unknown>> = {}): void {
    const row = {
      id,
      project_id: PROJECT,
      slug: id,
      directory: DIRECTORY,
      title: "A session",
      version: "2.0.15",
      time_created: 1,
      time_updated: 1,
      ...columns,
    };
    const names = Object.keys(row);
    this.database
      .prepare(`INSERT INTO session_v2 (${names}) VALUES (${names.map(() => "?")})`)
      .run(...Object.values(row));
    this.database.prepare("INSERT INTO event_sequence VALUES (?, 0, NULL)").run(id);
  }

  insertMessage(data: string | Buffer, id = MESSAGE, sessionID = SESSION, type = "assistant"): void {
    this.database
      .prepare(
        `INSERT INTO session_message VALUES (?, ?, ?,
          (SELECT coalesce(max(seq), 0) + 1 FROM session_message WHERE session_id = ?), 1, 1, CAST(? AS TEXT))`,
      )
      .run(id, sessionID, type, sessionID, data);
  }

  data(id = MESSAGE): string {
    return String(this.database.prepare("SELECT data FROM session_message WHERE id = ?").pluck().get(id));
  }

  nonces(): unknown[] {
    return this.database.prepare("SELECT key FROM kv WHERE key LIKE '%identity/%'").all();
  }

  receipts(): Record<string, unknown>[] {
    const exists = this.database
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'opencode_prune_receipt'")
      .get();
    return exists
      ? (this.database.prepare("SELECT * FROM opencode_prune_receipt").all() as Record<string, unknown>[])
      : [];
  }

  /** A copy of the file, of the same content, takes the database's place while the daemon is down. */
  replaceFile(): void {
    this.database.exec(`VACUUM INTO '${this.path}.other'`);
    this.database.close();
    for (const end of ["-wal", "-shm"]) rmSync(this.path + end, { force: true });
    renameSync(`${this.path}.other`, this.path);
    this.database = new Database(this.path);
    this.database.pragma("journal_mode = WAL");
  }

  /** Every byte of every table, the schema among them. */
  everything(): string {
    const tables = this.database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    const schema = this.database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
    const rows = tables.map(({ name }) => {
      const columns = this.database
        .prepare<[string], { name: string }>("SELECT name FROM pragma_table_xinfo(?)")
        .all(name);
      const quoted = columns.map((column) => `hex("${column.name}"), typeof("${column.name}")`);
      return [name, this.database.prepare(`SELECT ${quoted} FROM "${name}" ORDER BY 1`).raw().all()];
    });
    return JSON.stringify([schema, rows]);
  }

  /** Ends everything and keeps the folder. */
  async close(): Promise<void> {
    for (const dispose of this.#disposers) await dispose();
    this.database.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const KV_PREFIX = `plugin:${Array.from("opencode-prune", (letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("")}:`;
