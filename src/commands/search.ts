import type { GlobalOptions } from "./connection.ts";

export interface SearchOptions extends GlobalOptions {
  readonly session?: string;
  readonly textOnly?: boolean;
  readonly limit?: number;
}

export async function search(_text: string, _options: SearchOptions): Promise<number> {
  return 0;
}
