import { PLUGIN_ID } from "../../../src/contract/index.ts";
import type { PluginHost } from "../../../src/plugin/host.ts";
import { openNodeSqlite } from "../../../src/plugin/node-sqlite.ts";
import { leaseThread } from "../../../src/plugin/reading/index.ts";
import { setUp } from "../../../src/plugin/setup.ts";
import type { OpenSqlite } from "../../../src/plugin/sqlite.ts";

/**
 * The plugin, except that each of its SQL statements takes \`delays[statement]\` milliseconds longer (or \`delay\`):
 * tests can then meet it in the middle of a transaction.
 */
export default {
  id: PLUGIN_ID,
  setup: (host: PluginHost) =>
    setUp(host, slow(host.options?.delays as Delays), leaseThread(new URL("./worker.js", import.meta.url))),
};

interface Delays {
  readonly [statement: string]: number;
}

function slow(delays: Delays): OpenSqlite {
  const wait = (sql: string) => {
    const milliseconds = delays[sql] ?? delays.every ?? 0;
    if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  };
  return (path) => {
    const connection = openNodeSqlite(path);
    return {
      ...connection,
      prepare: (sql) => {
        const statement = connection.prepare(sql);
        return {
          ...statement,
          run: (...parameters) => {
            wait(sql);
            return statement.run(...parameters);
          },
          get: (...parameters) => {
            wait(sql);
            return statement.get(...parameters);
          },
        };
      },
    };
  };
}
