/** A plugin for the daemon: an absolute folder, or one with options. */
export type ConfiguredPlugin =
  | string
  | { readonly package: string; readonly options: Readonly<Record<string, unknown>> };

/** The `provider/model` name under which the scripted provider is configured. */
export const FIXTURE_MODEL = "fixture/fixture";

/** A whole OpenCode configuration whose only model is the scripted provider at `providerUrl` (`…/v1`). */
export function fixtureConfiguration(providerUrl: string, plugins: readonly ConfiguredPlugin[] = []) {
  return {
    model: FIXTURE_MODEL,
    providers: {
      fixture: {
        package: "@opencode/ai/providers/openai-compatible",
        settings: { baseURL: providerUrl, apiKey: "any" },
        models: { fixture: {} },
      },
    },
    plugins,
  };
}
