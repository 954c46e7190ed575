import {
  FINGERPRINT_METHOD,
  FingerprintInput,
  OUTLINE_METHOD,
  OutlineInput,
  READING_RPC,
  USAGE_METHOD,
  UsageInput,
} from "../../contract/index.ts";
import type { PluginHost, RpcCall, RpcRegistration } from "../host.ts";
import type { ReadingService } from "./reading-service.ts";

/**
 * What the plugin composed itself, thousands of tuples at a time, is not checked once more on the daemon's event
 * loop. Shaped as a Standard Schema (https://standardschema.dev).
 */
export const AS_COMPOSED = {
  "~standard": { version: 1, vendor: "opencode-prune", validate: (value: unknown) => ({ value }) },
};

/** Registers the RPC that only reads. */
export function registerReading(host: PluginHost, service: ReadingService): Promise<RpcRegistration> {
  return host.rpc.register(
    {
      id: READING_RPC,
      methods: {
        [USAGE_METHOD]: { input: UsageInput, output: AS_COMPOSED },
        [OUTLINE_METHOD]: { input: OutlineInput, output: AS_COMPOSED },
        [FINGERPRINT_METHOD]: { input: FingerprintInput, output: AS_COMPOSED },
      },
      events: {},
    },
    {
      [USAGE_METHOD]: (input: UsageInput, call: RpcCall) => service.usage(input, call.signal),
      [OUTLINE_METHOD]: (input: OutlineInput, call: RpcCall) => service.outline(input, call.signal),
      [FINGERPRINT_METHOD]: (input: FingerprintInput, call: RpcCall) =>
        service.fingerprint(input, call.signal),
    },
  );
}
