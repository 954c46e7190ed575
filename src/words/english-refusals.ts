/** Why something cannot be selected, and why something was not pruned. */
export const englishRefusals = {
  unprunable: {
    incomplete: "The message is not complete yet. Its parts can be selected when it is.",
    unsettled_tool: "A tool of this message has not settled. Its parts can be selected when it has.",
    unknown_part: "The message holds a kind of part that is not known here. It stays as it is.",
    too_large: "The message is larger than a prune may touch. It stays as it is.",
    malformed: "The stored message could not be understood. It stays as it is.",
  },
  unprunableShort: {
    incomplete: "incomplete",
    unsettled_tool: "tool not settled",
    unknown_part: "unknown part",
    too_large: "too large",
    malformed: "malformed",
  },
  reasonsShort: {
    unavailable: "no answer from the plugin",
    maintenance_required: "session or database in use",
    conflict: "changed since",
    not_deletable: "may not be deleted",
    unsupported_storage: "storage not recognised",
    ambiguous: "ambiguous",
    vanished: "already gone",
    incomplete: "incomplete",
    folder_unusable: "folder unusable",
    unknown_outcome: "outcome unknown",
  },
  reasons: {
    unavailable:
      "The plugin did not answer at this location. Install it, or start OpenCode there, and ask again.",
    maintenance_required:
      "The session is running, compacting or has a staged revert, or its database is busy. Let it finish and ask again.",
    conflict: "The message changed after it was previewed. Preview it again.",
    not_deletable:
      "The message is not a completed assistant message of this session, or has a part that may not go.",
    unsupported_storage:
      "The plugin does not recognise how this server stores the session, so it will not touch it. Update the plugin.",
    ambiguous:
      "Two parts look the same, so it is not certain which one was meant. Both stay; a whole-session cleanup takes both.",
    vanished: "The part is no longer there: it was pruned or changed. There is nothing left to do.",
    incomplete: "The message is not complete yet. Ask again when it is.",
    unknown_outcome:
      "The server did not answer, so it is not known whether this was pruned. Ask again: what is gone is not pruned twice.",
  },
};
