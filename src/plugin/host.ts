/** What this plugin uses of the context that the daemon hands to `setup`. Seen on OpenCode 2.0.15. */
export interface PluginHost {
  readonly location: HostLocation;
  readonly app: { readonly channel?: string };
  readonly options?: Readonly<Record<string, unknown>>;
  readonly storage: HostStorage;
  readonly plugin: { list(): Promise<{ readonly data: readonly ListedPlugin[] }> };
  readonly rpc: { register(definition: RpcDefinition, methods: RpcMethods): Promise<RpcRegistration> };
}

export interface HostLocation {
  readonly directory: string;
  readonly workspaceID?: string;
  readonly project: { readonly id: string };
}

/** The daemon's own key-value storage, in the namespace of this plugin. */
export interface HostStorage {
  set(key: string, value: unknown): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  scan(range: {
    readonly prefix: string;
  }): Promise<{ readonly entries: readonly { readonly key: string }[] }>;
}

export interface ListedPlugin {
  readonly id: string;
  readonly state: { readonly status: string };
}

export interface RpcDefinition {
  readonly id: string;
  readonly methods: Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;
  readonly events: Readonly<Record<string, { readonly schema: unknown }>>;
}

export type RpcMethods = Readonly<Record<string, (input: never, call: RpcCall) => Promise<unknown>>>;

export interface RpcCall {
  /** Aborts with the caller. */
  readonly signal?: AbortSignal;
}

export interface RpcRegistration {
  dispose(): unknown;
  readonly events: { emit(name: string, data: unknown): unknown };
}
