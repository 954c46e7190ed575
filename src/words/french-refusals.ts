import type { englishRefusals } from "./english-refusals.ts";

export const frenchRefusals: typeof englishRefusals = {
  unprunable: {
    incomplete:
      "Le message n'est pas encore complet. Ses parties pourront être sélectionnées quand il le sera.",
    unsettled_tool: "Un outil de ce message n'a pas fini. Ses parties pourront être sélectionnées ensuite.",
    unknown_part: "Le message contient un genre de partie inconnu ici. Il reste tel quel.",
    too_large: "Le message est plus gros que ce qu'un élagage peut toucher. Il reste tel quel.",
    malformed: "Le message stocké n'a pas pu être compris. Il reste tel quel.",
  },
  unprunableShort: {
    incomplete: "incomplet",
    unsettled_tool: "outil en cours",
    unknown_part: "partie inconnue",
    too_large: "trop gros",
    malformed: "malformé",
  },
  reasonsShort: {
    unavailable: "plugin sans réponse",
    maintenance_required: "session ou base occupée",
    conflict: "modifié depuis",
    not_deletable: "ne peut pas partir",
    unsupported_storage: "stockage non reconnu",
    ambiguous: "ambigu",
    vanished: "déjà parti",
    incomplete: "incomplet",
    folder_unusable: "dossier inutilisable",
    unknown_outcome: "issue inconnue",
  },
  reasons: {
    unavailable:
      "Le plugin n'a pas répondu à cet emplacement. Installez-le, ou démarrez OpenCode là-bas, puis redemandez.",
    maintenance_required:
      "La session tourne, se compacte ou a un retour préparé, ou sa base est occupée. Laissez-la finir, puis redemandez.",
    conflict: "Le message a changé après son aperçu. Refaites l'aperçu.",
    not_deletable:
      "Ce n'est pas un message d'assistant complet de cette session, ou une de ses parties ne peut pas partir.",
    unsupported_storage:
      "Le plugin ne reconnaît pas la façon dont ce serveur stocke la session, et n'y touche donc pas. Mettez-le à jour.",
    ambiguous:
      "Deux parties se ressemblent : on ne sait pas laquelle était voulue. Elles restent ; nettoyer toute la session prend les deux.",
    vanished: "La partie n'est plus là : elle a été élaguée ou modifiée. Il ne reste rien à faire.",
    incomplete: "Le message n'est pas encore complet. Redemandez quand il le sera.",
    unknown_outcome:
      "Le serveur n'a pas répondu : on ne sait pas si c'est élagué. Redemandez : ce qui est parti ne part pas deux fois.",
  },
};
