/**
 * What is current about one session, as a value and pure steps.
 *
 * Each invalidation raises the session's **generation** and stamps what it concerns. A read takes everything
 * that is needed, and remembers the generation under which it started. When it lands, whatever was invalidated
 * under a newer generation is dropped, and stays needed: a late read never overwrites a newer invalidation.
 * Since a session has one reading at the most, everything that is invalidated meanwhile adds up to one
 * follow-up, however many events arrive.
 */
export interface Freshness {
  readonly generation: number;
  /** What has to be read, and is not being read. */
  readonly need: Need;
  readonly reading?: Reading;
}

export interface Need {
  /** The generation that invalidated the listing; absent when it is current. */
  readonly summary?: number;
  /** The generation that invalidated the outline as a whole; absent when it is current. */
  readonly outline?: number;
  /** Single messages, with the generation that invalidated each. */
  readonly messages: ReadonlyMap<string, number>;
}

export interface Reading {
  readonly generation: number;
  readonly need: Need;
}

export interface Invalidation {
  readonly summary?: boolean;
  readonly outline?: boolean;
  readonly messageID?: string;
}

/** What of a reading may be taken over. */
export interface Verdict {
  readonly summary: boolean;
  readonly outline: boolean;
  /** With a current outline: the messages of it that were invalidated meanwhile, and keep what was known. */
  readonly withheld: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

const NO_MESSAGES: ReadonlyMap<string, number> = new Map();
const NOTHING: Need = { messages: NO_MESSAGES };
const NO_IDS: ReadonlySet<string> = new Set();
const LATE: Verdict = { summary: false, outline: false, withheld: NO_IDS, messages: NO_IDS };

export const UNREAD: Freshness = { generation: 0, need: NOTHING };

export function needsNothing(need: Need): boolean {
  return need.summary === undefined && need.outline === undefined && need.messages.size === 0;
}

export function invalidated(freshness: Freshness, what: Invalidation): Freshness {
  const generation = freshness.generation + 1;
  const messages =
    what.messageID === undefined
      ? freshness.need.messages
      : new Map(freshness.need.messages).set(what.messageID, generation);
  return {
    ...freshness,
    generation,
    need: {
      ...freshness.need,
      ...(what.summary ? { summary: generation } : {}),
      ...(what.outline ? { outline: generation } : {}),
      messages,
    },
  };
}

/** Starts a reading of everything that is needed. There must be none under way. */
export function begun(freshness: Freshness): Freshness & { readonly reading: Reading } {
  if (freshness.reading) throw new Error("A session is read once at a time; its reading has not ended.");
  return {
    generation: freshness.generation,
    need: NOTHING,
    reading: { generation: freshness.generation, need: freshness.need },
  };
}

/** Ends a reading that got its answers, and says which of them are still current. */
export function landed(freshness: Freshness, reading: Reading): [Freshness, Verdict] {
  if (freshness.reading !== reading) return [freshness, LATE];
  const { need } = freshness;
  const newer = (stamp: number | undefined) => stamp !== undefined && stamp > reading.generation;
  const outlineIsOld = newer(need.outline);
  const current = [...reading.need.messages.keys()].filter(
    (id) => !outlineIsOld && !newer(need.messages.get(id)),
  );
  return [
    { generation: freshness.generation, need },
    {
      summary: reading.need.summary !== undefined && !newer(need.summary),
      outline: reading.need.outline !== undefined && !outlineIsOld,
      withheld: need.messages.size === 0 ? NO_IDS : new Set(need.messages.keys()),
      messages: new Set(current),
    },
  ];
}

/** Ends a reading without answers, because it failed or the stream was lost: what it was to read stays needed. */
export function abandoned(freshness: Freshness, reading: Reading): Freshness {
  if (freshness.reading !== reading) return freshness;
  const { need, generation } = freshness;
  const summary = need.summary ?? reading.need.summary;
  const outline = need.outline ?? reading.need.outline;
  return {
    generation,
    need: {
      ...(summary === undefined ? {} : { summary }),
      ...(outline === undefined ? {} : { outline }),
      messages:
        reading.need.messages.size === 0
          ? need.messages
          : new Map([...reading.need.messages, ...need.messages]),
    },
  };
}
