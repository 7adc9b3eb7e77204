/** Environments of deployments that notify. @module */

import { env } from 'cloudflare:workers'
import type { Env } from '#worker/env.ts'

/** The environment of the tests, with variables and bindings that an operator sets. */
export const testEnv = (more: Partial<Env>): Env => ({ ...env, ...more })
