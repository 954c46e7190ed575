/** A stand-in for the published plugin: it serves `preview`, and answers that nothing is available. */
export const PUBLISHED_PLUGIN = `export default { id: "codenomad-session-pruning", async setup(ctx) {
  const any = { type: "object" };
  const registration = await ctx.rpc.register(
    { id: "codenomad.session-pruning", methods: { preview: { input: any, output: any } }, events: {} },
    { preview: async () => ({ status: "blocked", reason: "unavailable" }) },
  );
  return () => registration.dispose();
} }`;
