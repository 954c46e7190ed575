export interface Mutation {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly suite: string;
  readonly test: string;
}

export function mutations(root: string): Mutation[];
