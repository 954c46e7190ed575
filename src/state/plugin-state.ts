import type { AppContext } from "./app-context.ts";
import { problemOf } from "./problem.ts";

/** Knowing whether the plugin is there, and putting it there. */
export function pluginActions({ ports, get, change, tell }: AppContext) {
  let asked = 0;

  function check(): void {
    asked += 1;
    const current = asked;
    ports.plugin.status().then(
      (plugin) => {
        if (current === asked && !get().installing) change({ plugin });
      },
      (error: unknown) => {
        if (current === asked) change({ plugin: { state: "failed", problem: problemOf(error) } });
      },
    );
  }

  return {
    check,
    install() {
      change({ installing: true });
      ports.plugin.install().then(
        (plugin) => {
          change({ plugin, installing: false });
          if (plugin.state === "ready") tell({ kind: "installed" });
          else if (plugin.state === "failed") tell({ kind: "install_failed", text: plugin.problem });
        },
        (error: unknown) => {
          change({ installing: false });
          tell({ kind: "install_failed", text: problemOf(error) });
        },
      );
    },
  };
}
