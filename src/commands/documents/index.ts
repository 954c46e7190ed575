import type * as z from "zod";
import { DoctorDocument, EventDocument, PluginDocument, PruneDocument } from "./pruning.ts";
import {
  MessageDocument,
  PartsDocument,
  SearchDocument,
  SessionsDocument,
  StatsDocument,
} from "./reading.ts";

/** Every `--json` shape by its name; docs/schemas holds the same as JSON Schema. */
export const DOCUMENTS = {
  sessions: SessionsDocument,
  parts: PartsDocument,
  message: MessageDocument,
  search: SearchDocument,
  stats: StatsDocument,
  prune: PruneDocument,
  event: EventDocument,
  plugin: PluginDocument,
  doctor: DoctorDocument,
} as const;

export type DocumentName = keyof typeof DOCUMENTS;
/** What a command says under that name, without what every document has. */
export type DocumentBody<Name extends DocumentName> = DistributiveOmit<
  z.infer<(typeof DOCUMENTS)[Name]>,
  "version" | "kind"
>;
type DistributiveOmit<Type, Keys extends PropertyKey> = Type extends unknown ? Omit<Type, Keys> : never;
