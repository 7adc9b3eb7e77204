/**
 * The module `cloudflare:workers` in plain Node: base classes without a runtime behind them.
 *
 * @module
 */

export { env } from './environment.ts'

/** The base class of an object, which keeps what the platform gives it. */
export class DurableObject<Env> {
  protected readonly ctx: DurableObjectState
  protected readonly env: Env

  constructor(ctx: DurableObjectState, env: Env) {
    this.ctx = ctx
    this.env = env
  }
}

/** The base class of a Worker with methods; the authorization server extends it. */
export class WorkerEntrypoint<Env> extends DurableObject<Env> {}
