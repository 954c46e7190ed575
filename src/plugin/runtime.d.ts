declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string, options?: { readOnly?: boolean; timeout?: number });
    exec(sql: string): void;
    prepare(sql: string): StatementSync;
    close(): void;
  }
  export class StatementSync {
    get(...parameters: (string | number | null)[]): Record<string, unknown> | undefined;
    all(...parameters: (string | number | null)[]): Record<string, unknown>[];
    run(...parameters: (string | number | null)[]): { changes: number | bigint };
  }
}
