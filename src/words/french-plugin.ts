import type { englishPlugin } from "./english-plugin.ts";

export const frenchPlugin: typeof englishPlugin = {
  plugin: {
    unknown: "plugin : en attente",
    ready: "plugin : prêt",
    published: "plugin : prêt (publié)",
    missing: "plugin : absent, i l'installe",
    failed: "plugin : en échec",
    changing: {
      install: "plugin : installation…",
      update: "plugin : mise à jour…",
      remove: "plugin : retrait…",
    },
  },
  pluginChanged: {
    install: "Le plugin est installé et répond.",
    update: "Le plugin est mis à jour et répond.",
    remove: "Le plugin est retiré. Les reçus de ce qui a été élagué restent.",
  },
  pluginNotChanged: {
    install: (problem) => `Le plugin n'a pas pu être installé : ${problem}`,
    update: (problem) => `Le plugin n'a pas pu être mis à jour : ${problem}`,
    remove: (problem) => `Le plugin n'a pas pu être retiré : ${problem}`,
  },

  pluginSays: {
    answers: {
      look: (where) => `Le plugin est installé ${where}, et il répond.`,
      none: (where) => `Le plugin était déjà installé ${where}, et il répond.`,
      installed: (where) => `Le plugin est installé ${where}, et il répond.`,
      updated: (where) => `Le plugin est mis à jour ${where}, et il répond.`,
    },
    removed: (folder) =>
      `Le plugin est retiré de ${folder} ; les reçus de ce qui a été élagué restent dans la base d'OpenCode.`,
    nothingRemoved: (folder) => `Le plugin n'est pas installé dans ${folder} ; rien n'a été retiré.`,
    notInstalled: (todo) => `Le plugin n'est pas installé ; ${todo}.`,
    silent: (where) => `Le plugin est ${where}, mais personne ne répond ; redémarrez OpenCode.`,
    published: "Le plugin publié d'élagage des sessions répond ; opencode-prune l'emploie.",
    fromElsewhere: (folder) => `Le plugin répond ; OpenCode le charge depuis ${folder}.`,
    somewhere: "un autre dossier",
    otherVersion: (version, brought, todo) =>
      `C'est une autre version (${version}) que celle de ce programme (${brought}) ; ${todo}.`,
    unknownVersion: "inconnue",
    changed: (files, todo) => `Il a été modifié depuis son installation (${files}) ; ${todo}.`,
    someFiles: "certains de ses fichiers",
    moreFiles: (names, more) => `${names} et ${more} de plus`,
    foreign: "Autre chose occupe sa place, et reste tel quel ; déplacez-le pour installer.",
    notNeeded: (where) => `Celui qui est ${where} est de trop : OpenCode n'en fait tourner qu'un des deux.`,
    standsBack: (where) =>
      `Le nôtre, ${where}, s'efface tant que le publié est actif : les deux parlent le même contrat.`,
    notLocal: "Le serveur garde ses plugins sur une autre machine ; c'est là qu'il faut les changer.",
    stillPublished: "Le plugin publié d'élagage des sessions répond toujours.",
    stillElsewhere: (folder) => `Une autre copie répond toujours : OpenCode la charge depuis ${folder}.`,
  },
  pluginOnScreen: {
    where: "ici",
    install: "i l'installe",
    update: "u le remplace",
    putBack: "u remet l'original, après une question",
  },

  pluginScreen: {
    everyProject: "pour tous les projets",
    oneProject: (directory) => `pour le seul projet de ${directory}`,
    reading: "Examen du plugin…",
    failed: (problem) => `Le plugin n'a pas pu être examiné : ${problem} R réessaie.`,
    labels: { folder: "dossier", installed: "installé", brought: "apporté", opencode: "OpenCode" },
    contents: {
      absent: "rien",
      same: (version) => `${version}, comme ce programme l'apporte`,
      otherVersion: (version) => `${version}, une autre version`,
      changed: (version, files) => `${version}, modifié par quelqu'un : ${files}`,
      foreign: "quelque chose qu'opencode-prune n'y a pas mis",
      notLocal: "sur une autre machine",
    },
    loaded: {
      answers: "le charge de ce dossier, et il répond",
      silent: "le connaît, et personne ne répond",
      failed: "n'a pas pu le charger",
      elsewhere: (folder) => `le charge de ${folder}, et il répond`,
      published: "charge le plugin publié, qui répond",
      nothing: "ne charge aucun plugin qui élague",
    },
    working: {
      install: "Installation, puis attente de sa réponse…",
      update: "Remplacement, puis attente de sa réponse…",
      remove: "Retrait, puis attente qu'OpenCode le lâche…",
    },
    replaces: (folder, version) => `Remplace le plugin de ${folder} par la version ${version}.`,
    removes: (folder) =>
      `Retire le plugin de ${folder}. Seuls restent les reçus de ce qui a été élagué, dans la base d'OpenCode.`,
    loses: (files) => `Ce que quelqu'un a modifié est perdu : ${files}.`,
    askReplace: "y le remplace ; aucune autre touche ne le fait.",
    askRemove: "y le retire ; aucune autre touche ne le fait.",
  },
};
