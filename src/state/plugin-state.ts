import type { AppContext } from "./app-context.ts";
import type { PluginQuestion, PluginView } from "./app-state.ts";
import type { PluginChange, PluginPlace, PluginState } from "./ports.ts";
import { problemOf } from "./problem.ts";
import { sessionAtHand } from "./screens.ts";

/** Knowing whether the plugin is there, and its life: installing, updating, and removing after a question. */
export function pluginActions({ ports, get, change, tell, push, pop }: AppContext) {
  let checks = 0;
  let looks = 0;
  let shows = 0;

  function check(): void {
    checks += 1;
    const current = checks;
    const land = (plugin: PluginState) => {
      if (current === checks && get().changingPlugin === undefined) change({ plugin });
    };
    ports.plugin
      .status()
      .then(land, (error: unknown) => land({ state: "failed", problem: problemOf(error) }));
  }

  /** Looks at what the screen shows, if it is open. What was known and said stays on it meanwhile. */
  function look(): void {
    const view = get().pluginView;
    if (view === undefined || get().changingPlugin !== undefined) return;
    looks += 1;
    const current = looks;
    const land = (landed: Partial<PluginView>) => {
      if (current === looks) amend(landed);
    };
    amend({ phase: "reading" });
    ports.plugin.inspect(placeOf(view)).then(
      (inspection) => land({ phase: "ready", inspection }),
      (error: unknown) => land({ phase: "failed", problem: problemOf(error) }),
    );
  }

  function amend(landed: Partial<PluginView>): void {
    const { pluginView } = get();
    if (pluginView !== undefined) change({ pluginView: { ...pluginView, ...landed } });
  }

  /** Where the screen was left meanwhile, a message says how it went. */
  function begin(what: PluginChange, agreed?: string): void {
    const view = get().pluginView;
    if (view === undefined) return;
    const current = shows;
    const isShown = () => current === shows && get().pluginView !== undefined;
    looks += 1;
    change({ changingPlugin: what, pluginView: withoutWords(view) });
    ports.plugin.change(what, placeOf(view), agreed === undefined ? {} : { agreed }).then(
      ({ action, inspection }) => {
        change({ changingPlugin: undefined });
        if (isShown()) amend({ phase: "ready", inspection, action });
        else afterwards(() => tell({ kind: "plugin_changed", change: what }));
        check();
      },
      (error: unknown) => {
        const problem = problemOf(error);
        change({ changingPlugin: undefined });
        if (isShown()) afterwards(() => amend({ problem }));
        else afterwards(() => tell({ kind: "plugin_not_changed", change: what, text: problem }));
        check();
      },
    );
  }

  /** Says how a change went, and looks at where it left the plugin. */
  function afterwards(say: () => void): void {
    say();
    look();
  }

  function ask(what: PluginQuestion["change"]): void {
    const view = get().pluginView;
    const installed = view?.inspection?.installed;
    if (view === undefined || installed === undefined) return;
    const loses = installed.content === "changed" ? installed.copy?.hash : undefined;
    if (what === "update" && loses === undefined) begin("update");
    else {
      const question = { change: what, ...(loses === undefined ? {} : { loses }) };
      change({ pluginView: { ...withoutWords(view), question } });
    }
  }

  function takeBack(): void {
    const view = get().pluginView;
    if (view !== undefined) change({ pluginView: withoutWords(view) });
  }

  return {
    check,
    look,
    /** The one key that installs from every screen, for every project. */
    install() {
      change({ changingPlugin: "install" });
      ports.plugin.install().then(
        (plugin) => {
          change({ plugin, changingPlugin: undefined });
          if (plugin.state === "ready") tell({ kind: "plugin_changed", change: "install" });
          else if (plugin.state === "failed") {
            tell({ kind: "plugin_not_changed", change: "install", text: plugin.problem });
          }
          look();
        },
        (error: unknown) => {
          change({ changingPlugin: undefined });
          afterwards(() => tell({ kind: "plugin_not_changed", change: "install", text: problemOf(error) }));
        },
      );
    },
    show(): void {
      shows += 1;
      const directory = get().history.sessions.get(sessionAtHand(get()) ?? "")?.directory;
      const place = directory === undefined ? {} : { directory };
      push("plugin", { pluginView: { ...place, isForProject: false, phase: "reading" } });
      look();
    },
    close: () => pop({ pluginView: undefined }),
    switchPlace(): void {
      const { directory, isForProject } = get().pluginView ?? {};
      if (directory === undefined) return;
      change({ pluginView: { directory, isForProject: !isForProject, phase: "reading" } });
      look();
    },
    refresh(): void {
      takeBack();
      look();
      check();
    },
    installHere: () => begin("install"),
    update: () => ask("update"),
    askRemove: () => ask("remove"),
    isAsking: () => get().pluginView?.question !== undefined,
    agree(): void {
      const question = get().pluginView?.question;
      if (question !== undefined) begin(question.change, question.loses);
    },
    takeBack,
  };
}

function placeOf({ directory, isForProject }: PluginView): PluginPlace {
  return isForProject && directory !== undefined ? { directory } : {};
}

/** The view without what was said or asked on it. */
function withoutWords({ question: _, action: __, problem: ___, ...rest }: PluginView): PluginView {
  return rest;
}
