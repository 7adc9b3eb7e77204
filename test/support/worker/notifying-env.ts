/** Environments of deployments that notify. @module */

import { env } from 'cloudflare:workers'
import type { Env } from '#worker/env.ts'

/** The environment of the tests without a notifier, and with variables and bindings that an operator sets. */
export function testEnv(more: Partial<Env>): Env {
  const { NOTIFIER: _, ...others } = env
  return { ...others, ...more }
}
