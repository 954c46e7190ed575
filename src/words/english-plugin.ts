/** Everything that is said about the plugin: what is found, what to do about it, what was done. */
export const englishPlugin = {
  plugin: {
    unknown: "plugin: asking",
    ready: "plugin: ready",
    published: "plugin: ready (published)",
    missing: "plugin: missing, i installs it",
    failed: "plugin: failed",
    changing: {
      install: "plugin: installing…",
      update: "plugin: updating…",
      remove: "plugin: removing…",
    },
  },
  /** Said where the change was asked for on another screen, or its own was left. */
  pluginChanged: {
    install: "The plugin is installed and answers.",
    update: "The plugin is updated and answers.",
    remove: "The plugin is removed. Receipts of what was pruned stay.",
  },
  pluginNotChanged: {
    install: (problem: string) => `The plugin could not be installed: ${problem}`,
    update: (problem: string) => `The plugin could not be updated: ${problem}`,
    remove: (problem: string) => `The plugin could not be removed: ${problem}`,
  },

  /** How the plugin stands. `where` and what to do are said as the screen or as the commands say it. */
  pluginSays: {
    answers: {
      look: (where: string) => `The plugin is installed ${where}, and it answers.`,
      none: (where: string) => `The plugin was installed already ${where}, and it answers.`,
      installed: (where: string) => `The plugin is installed ${where}, and it answers.`,
      updated: (where: string) => `The plugin is updated ${where}, and it answers.`,
    },
    removed: (folder: string) =>
      `The plugin is removed from ${folder}; receipts of what was pruned stay in OpenCode's database.`,
    nothingRemoved: (folder: string) => `The plugin is not installed in ${folder}; nothing was removed.`,
    notInstalled: (todo: string) => `The plugin is not installed; ${todo}.`,
    silent: (where: string) => `The plugin is ${where}, but nobody answers; restart OpenCode.`,
    published: "The published session pruning plugin answers; opencode-prune uses it.",
    fromElsewhere: (folder: string) => `The plugin answers; OpenCode loads it from ${folder}.`,
    somewhere: "elsewhere",
    otherVersion: (version: string, brought: string, todo: string) =>
      `It is another version (${version}) than this program brings (${brought}); ${todo}.`,
    unknownVersion: "unknown",
    changed: (files: string, todo: string) => `It was changed since it was installed (${files}); ${todo}.`,
    someFiles: "some of its files",
    moreFiles: (names: string, more: number) => `${names} and ${more} more`,
    foreign: "Something else lies where it would be installed, and stays as it is; move it away to install.",
    notNeeded: (where: string) => `The one ${where} is not needed: OpenCode runs only one of the two.`,
    standsBack: (where: string) =>
      `Ours, ${where}, stands back while the published one is active: both speak the same contract.`,
    notLocal: "The server keeps its plugins on another machine; install, update and remove it there.",
    stillPublished: "The published session pruning plugin still answers.",
    stillElsewhere: (folder: string) => `Another copy of it still answers: OpenCode loads it from ${folder}.`,
  },
  pluginOnScreen: {
    where: "here",
    install: "i installs it",
    update: "u replaces it",
    putBack: "u puts the original back, after a question",
  },

  pluginScreen: {
    everyProject: "for every project",
    oneProject: (directory: string) => `for the project in ${directory} alone`,
    reading: "Looking at the plugin…",
    failed: (problem: string) => `The plugin could not be looked at: ${problem} R tries again.`,
    labels: { folder: "folder", installed: "installed", brought: "brought", opencode: "OpenCode" },
    contents: {
      absent: "nothing",
      same: (version: string) => `${version}, the same as this program brings`,
      otherVersion: (version: string) => `${version}, another version`,
      changed: (version: string, files: string) => `${version}, changed by somebody: ${files}`,
      foreign: "something that opencode-prune did not put there",
      notLocal: "on another machine",
    },
    loaded: {
      answers: "runs it from this folder, and it answers",
      silent: "knows it, and nobody answers",
      failed: "could not load it",
      elsewhere: (folder: string) => `runs it from ${folder}, and it answers`,
      published: "runs the published plugin, which answers",
      nothing: "runs no plugin that prunes",
    },
    working: {
      install: "Installing it, and waiting until it answers…",
      update: "Replacing it, and waiting until it answers…",
      remove: "Removing it, and waiting until OpenCode lets go of it…",
    },
    replaces: (folder: string, version: string) => `Replaces the plugin in ${folder} by version ${version}.`,
    removes: (folder: string) =>
      `Removes the plugin from ${folder}. Nothing but receipts of what was pruned stays, in OpenCode's database.`,
    loses: (files: string) => `What somebody changed is lost: ${files}.`,
    askReplace: "y replaces it; any other key does not.",
    askRemove: "y removes it; any other key does not.",
  },
};
