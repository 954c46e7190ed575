import { type Claim, ClaimLostError, type JobState, type JobStore, LEASE } from "../jobs/index.ts";

/**
 * A job's claim while this process works on it, renewed in time. When the machine slept through the lease, the claim
 * is recovered like anybody's: only if nobody else did.
 */
export class HeldClaim {
  readonly #store: JobStore;
  readonly #renewing: NodeJS.Timeout;
  #claim: Claim;

  constructor(store: JobStore, claim: Claim) {
    this.#store = store;
    this.#claim = claim;
    this.#renewing = setInterval(() => this.#renew(), LEASE / 3);
    this.#renewing.unref();
  }

  get jobID(): string {
    return this.#claim.jobID;
  }

  /** Writes as the owner. Throws `ClaimLostError` when somebody else is it. */
  write(change: (claim: Claim) => Claim): void {
    try {
      this.#claim = change(this.#claim);
    } catch (error) {
      if (!(error instanceof ClaimLostError)) throw error;
      const recovered = this.#store.recover(this.#claim, this.#claim.owner);
      if (!recovered) throw error;
      this.#claim = change(recovered);
    }
  }

  /** Gives the claim back. */
  end(): JobState {
    let state: JobState = "unknown";
    this.write((claim) => {
      state = this.#store.end(claim);
      return claim;
    });
    return state;
  }

  /** Ends the renewing; the claim runs out by itself. */
  stop(): void {
    clearInterval(this.#renewing);
  }

  #renew(): void {
    try {
      this.write((claim) => this.#store.renew(claim));
    } catch {
      // The next write meets whatever is wrong, and says so.
    }
  }
}
