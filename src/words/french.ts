import { shellWord } from "../text/index.ts";
import { frenchKeys } from "./french-keys.ts";
import { frenchPlugin } from "./french-plugin.ts";
import { frenchRefusals } from "./french-refusals.ts";
import type { Quantities } from "./quantities.ts";
import type { Words } from "./words.ts";

export function french(say: Quantities): Words {
  const counted = (n: number, one: string, other: string) =>
    `${say.count(n)} ${say.plural(n, { one, other })}`;
  const parts = (n: number) => counted(n, "partie", "parties");
  const messages = (n: number) => counted(n, "message", "messages");
  const sessions = (n: number) => counted(n, "session", "sessions");
  const requests = (n: number) => counted(n, "requête", "requêtes");

  return {
    say,
    parts,
    messages,
    sessions,

    screens: {
      sessions: "Sessions",
      parts: "Parties",
      detail: "Partie",
      select: "Sélection",
      preview: "Aperçu",
      cleanup: "Nettoyer des sessions entières",
      interrupted: "Nettoyages interrompus",
      progress: "Élagage",
      summary: "Résultat",
      found: "Recherche",
      plugin: "Plugin",
      events: "Événements",
      help: "Touches",
      prompt: "Pendant la saisie",
      everywhere: "Partout",
    },
    untitled: "(sans titre)",
    unknownSession: "(une session absente de la liste)",

    columns: {
      title: "titre",
      location: "emplacement",
      updated: "modifiée",
      messages: "mess.",
      parts: "part.",
      bytes: "technique",
      share: "taux",
      state: "état",
      status: "statut",
      age: "âge",
      size: "taille",
    },
    activity: {
      idle: "inactive",
      running: "en cours",
      suspended: "suspendue",
      reverted: "annulée",
      compacting: "compactage",
      refreshing: "relecture",
    },
    sorts: {
      technical: "octets techniques",
      share: "taux",
      parts: "parties techniques",
      messages: "messages",
      updated: "dernière modification",
      title: "titre",
      location: "emplacement",
      oldest: "les plus anciennes d'abord",
      newest: "les plus récentes d'abord",
      largest: "les plus grosses d'abord",
    },
    sortedBy: (sort) => `par ${sort}`,
    quoted: (text) => `« ${text} »`,
    filteredBy: (filter) => `filtre « ${filter} »`,
    someOf: (shown, all) => (shown === all ? say.count(all) : `${say.count(shown)} sur ${say.count(all)}`),
    shown: {
      technical: "outils et raisonnement",
      tool: "outils seuls",
      reasoning: "raisonnement seul",
    },
    partTypes: { tool: "outil", reasoning: "raisonn." },
    statuses: { streaming: "en flux", running: "en cours", completed: "terminé", error: "erreur" },
    inSession: (session, message) => `${message}, ${session}`,
    messageNumber: (number, moment) => `message ${say.count(number)}, ${moment}`,
    partsOf: (session) => `Parties de ${session}`,
    spoken: {
      row: (row, all) => `Ligne ${say.count(row)} sur ${say.count(all)}`,
      changed: "modifiée",
      unconfirmed: "pas encore confirmée",
      selected: "sélectionnée",
      notSelected: "non sélectionnée",
      notSelectable: "ne peut pas être sélectionnée",
      share: (share) => `${share} de la session`,
      messages,
      updated: (ago) => `modifiée ${ago}`,
      folded: "repliée",
      match: "trouvé",
    },

    empty: {
      connecting: "Lecture de la liste des sessions…",
      sessions: "Ce serveur n'a aucune session.",
      filtered: "Rien ne correspond au filtre. Échap l'efface.",
      reading: "Lecture des parties…",
      parts: "Cette session n'a aucune partie technique. Il n'y a rien à élaguer ici.",
      notShown: "Rien du genre affiché. x affiche toutes les parties techniques.",
      events: "Rien ne s'est encore passé. Les élagages de chacun apparaissent ici dès qu'ils arrivent.",
      preview: "Rien de la sélection ne peut être élagué.",
      content: "Lecture du contenu…",
      vanished: "Cette partie n'est plus stockée. Elle a été élaguée, ou son message a changé.",
    },

    connection: {
      connecting: "connexion",
      live: "en direct",
      lost: "reconnexion",
      reconnecting: "reconnexion",
      reconciling: "réconciliation",
    },
    retryIn: (duration) => `nouvel essai dans ${duration}`,
    reads: { plugin: "lit : plugin", native: "lit : API" },
    cache: {
      kept: "cache : conservé",
      set_aside: "cache : mis de côté",
      off: "cache : désactivé",
      reading: (n) => `lecture de ${sessions(n)}`,
      unconfirmed: (n) => `${sessions(n)} à confirmer`,
    },

    totals: (selected, share) =>
      `Sélection : ${parts(selected.parts)} dans ${messages(selected.messages)}, ${say.bytes(selected.bytes)}${
        share === undefined ? "" : `, ${say.share(share)} de la session`
      }`,
    sessionTotals: (n, bytes) => `${parts(n)}, ${say.bytes(bytes)} techniques`,
    selectedElsewhere: (n, inSessions) =>
      `Sélection : ${parts(n)} dans ${sessions(inSessions)}. p en donne l'aperçu.`,

    messagesToUser: {
      vanished: (n) =>
        say.plural(n, {
          one: `${parts(n)} a quitté la sélection : quelqu'un d'autre l'a élaguée ou modifiée.`,
          other: `${parts(n)} ont quitté la sélection : quelqu'un d'autre les a élaguées ou modifiées.`,
        }),
      nothingSelected: "Rien n'est sélectionné. Espace sélectionne la partie sous le curseur.",
      nothingAdded: "Rien de plus dans l'affichage ne peut être sélectionné ainsi.",
      pluginMissing: "L'élagage a besoin du plugin, et ce serveur ne l'a pas. i l'installe.",
      notFound: "Introuvable.",
      noSuchSession: (id) => `Ce serveur n'a pas de session ${id}.`,
      busy: "Un élagage est en cours. Attendez sa fin, ou arrêtez-le d'abord.",
      nothingTechnical: "Ce message n'a pas de partie technique : il n'est pas dans cette liste.",
      discarded: "Le nettoyage est abandonné. Rien de plus n'en sera élagué.",
      notInterrupted: "Ce nettoyage n'est plus interrompu : un autre opencode-prune l'a repris.",
      cleanupFailed: (problem) => `Le nettoyage s'est interrompu : ${problem}`,
    },
    folderUnusable: (directory) =>
      `OpenCode ne peut travailler dans le dossier de la session : aucun plugin n'y répond. S'il a disparu, recréez-le sur le serveur (mkdir -p ${shellWord(directory)}), puis redemandez.`,

    prompts: {
      filter: "Filtre :",
      search: "Chercher :",
      size: "Sélectionner plus gros que (comme 100k ou 2 Mo) :",
      age: "Sélectionner tout sauf les … messages les plus récents :",
      content: "Chercher dans toutes les sessions :",
      sessionContent: "Chercher dans cette session :",
      confirm: (n) => `Tapez ${n} pour élaguer ${parts(n)} pour de bon :`,
      refused: {
        filter: "",
        search: "",
        content: "Tapez le texte à chercher.",
        sessionContent: "Tapez le texte à chercher.",
        size: "Ce n'est pas une taille. Écrivez par exemple 900, 100k ou 2 Mo.",
        age: "Ce n'est pas un nombre de messages.",
        confirm: "Ce n'est pas le nombre. Rien n'a été élagué.",
      },
    },

    select: {
      tools: "Tous les outils",
      reasoning: "Tout le raisonnement",
      tool: (name) => `Outil ${name}`,
      size: "Plus gros que…",
      age: "Tout sauf les messages les plus récents…",
      invert: "Inverser la sélection",
      none: "Ne rien sélectionner",
    },

    preview: {
      planning: "Relecture de ce qui est sélectionné…",
      planningOf: (done, total) => `Relecture : ${say.count(done)} sur ${messages(total)}…`,
      failed: (problem) => `L'aperçu n'a pas pu être fait : ${problem} R réessaie.`,
      goes: (n, bytes) => `supprime : ${parts(n)}, ${say.bytes(bytes)}`,
      stays: (n, bytes) => `garde : ${parts(n)}, ${say.bytes(bytes)}`,
      refused: (n) => `refus : ${parts(n)}`,
      outdated: "modifié depuis ; sera refusé",
      verdict: (n, bytes, inMessages) =>
        `Supprime ${parts(n)} (${say.bytes(bytes)}) de ${messages(inMessages)} pour de bon.`,
      refusals: (n) =>
        say.plural(n, {
          one: `${messages(n)} ne sera pas demandé.`,
          other: `${messages(n)} ne seront pas demandés.`,
        }),
      irreversible: "C'est irréversible. y élague ; aucune autre touche ne le fait.",
      irreversibleTyped: (n) => `C'est irréversible. y demande le nombre ${n} avant d'élaguer.`,
      running: "Élagage…",
    },
    cleanup: {
      planningOf: (done, total) => `Relecture : ${say.count(done)} sur ${sessions(total)}…`,
      eligible: "éligible",
      skipped: "ignoré",
      refused: "refusée",
      nothing: "rien à élaguer",
      notDurable: (problem) => `S'il est coupé, il ne pourra pas être repris : ${problem}`,
      totals: (eligible, skipped, refused) =>
        `${counted(eligible, "session éligible", "sessions éligibles")}, ${counted(skipped, "partie ignorée", "parties ignorées")}, ${counted(refused, "session refusée", "sessions refusées")}`,
      verdict: (n, bytes, inMessages, sent) =>
        `Supprime ${parts(n)} (${say.bytes(bytes)}) de ${messages(inMessages)} pour de bon, en ${requests(sent)}.`,
    },
    interrupted: {
      offer: (cleanups, n) =>
        cleanups === 1
          ? `Nettoyage interrompu, encore ${messages(n)} : u pour voir.`
          : `${say.count(cleanups)} nettoyages interrompus, encore ${messages(n)} : u pour voir.`,
      none: "Aucun nettoyage n'est interrompu.",
      left: (n, inSessions) => `encore ${messages(n)} dans ${sessions(inSessions)}`,
      unknown: "Il a été coupé. Le reprendre relit tout avant d'envoyer.",
      more_to_do: "Il a été arrêté. Le reprendre relit tout avant d'envoyer.",
      choices: "r le reprend, d l'abandonne, Échap le laisse pour plus tard.",
      willDelete: (n, bytes, inMessages) =>
        `Supprime jusqu'à ${parts(n)} (${say.bytes(bytes)}) de ${messages(inMessages)} pour de bon.`,
      askResume: "Irréversible. y reprend ; aucune autre touche ne le fait.",
      willForget: (n) =>
        say.plural(n, {
          one: `Oublie ce qui restait ; ${messages(n)} reste tel quel.`,
          other: `Oublie ce qui restait ; ${messages(n)} restent tels quels.`,
        }),
      askDiscard: "Plus de reprise. y abandonne ; aucune autre ne le fait.",
    },
    found: {
      count: (n) => counted(n, "trouvé", "trouvés"),
      everywhere: "dans toutes les sessions",
      searching: "Cherche",
      done: "Fini",
      stopped: "Arrêtée",
      full: "Arrêtée, car il y en a plus que l'on n'en montre ; cherchez plus rare",
      failed: (problem) => `La recherche s'est interrompue : ${problem}`,
      searched: (n) => counted(n, "message lu", "messages lus"),
      skipped: (n) => counted(n, "ignoré", "ignorés"),
      through: {
        plugin: "par le plugin",
        published: "par le plugin publié",
        native: "par l'API",
      },
      kinds: { text: "texte", tool: "outil", reasoning: "raisonnement" },
      nothing: "Aucun message lu ne contient ce texte.",
      pruned: "élagué depuis",
    },
    progress: {
      line: (done, total) => `${say.count(done)} sur ${messages(total)}`,
      pruned: (n, bytes) => `${counted(n, "partie élaguée", "parties élaguées")}, ${say.bytes(bytes)}`,
      rate: (bytesPerSecond) => `${say.bytes(bytesPerSecond)}/s`,
      left: (duration) => `encore ${duration}`,
      howToStop: "Échap arrête après la requête en cours. Ce qui est élagué d'ici là le reste.",
      stopping: "Arrêt après la requête en cours…",
    },
    summary: {
      pruned: (n, inMessages, bytes) =>
        `${counted(n, "partie élaguée", "parties élaguées")} dans ${messages(inMessages)} : ${say.bytes(bytes)}.`,
      nothing: "Rien n'a été élagué.",
      skipped: (n) => `${counted(n, "message ignoré", "messages ignorés")} : arrêté avant.`,
      refused: (n) => `${counted(n, "message refusé", "messages refusés")} :`,
      allDone: "Rien n'a été refusé.",
      again: "r refait l'aperçu de ce qui peut être retenté.",
      failed: (problem) =>
        `L'élagage s'est interrompu : ${problem} On ne sait pas ce qui s'est passé ; regardez avant de redemander.`,
    },
    events: {
      pruned: (session, byUs) => `${byUs ? "élagué ici" : "élagué ailleurs"} : un message de ${session}`,
      connected: "connecté",
      lost: (problem) => `connexion perdue : ${problem}`,
      reconciled: (all, reread) =>
        `réconcilié : ${counted(all, "session comparée", "sessions comparées")}, ${counted(reread, "relue", "relues")}`,
      problem: (problem) => `problème : ${problem}`,
    },
    detail: {
      reasoning: "Raisonnement",
      input: "Entrée",
      output: "Sortie",
      error: "Erreur",
      metadata: "Métadonnées",
      attachment: (type, mime, name, size) =>
        [type || "fichier", name, mime, size].filter(Boolean).join(", "),
      failed: (problem) => `Le contenu n'a pas pu être lu : ${problem}`,
      searching: (search) => `recherche « ${search} »`,
    },
    leaving: {
      asked:
        "Un élagage est en cours. q arrête après la requête en cours et quitte ; toute autre touche reste.",
      stopping: "Arrêt après la requête en cours, puis sortie…",
    },
    tooSmall: (columns, rows) => `Agrandissez le terminal : au moins ${columns} × ${rows}.`,
    crashed: (log) =>
      `opencode-prune s'est arrêté sur une faute à lui ; rien n'a été élagué par là. L'endroit est noté dans ${log}.`,
    crashedWithoutLog:
      "opencode-prune s'est arrêté sur une faute à lui, et le journal n'a pas pu être écrit ; rien n'a été élagué par là.",

    ...frenchRefusals,
    ...frenchPlugin,
    ...frenchKeys,
  };
}
