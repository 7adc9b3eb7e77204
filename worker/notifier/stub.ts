/**
 * The notifier of a deployment, as its other objects reach it. `test/platform/notifier/notifier.test.ts` calls it.
 *
 * @module
 */

import type { Env } from '../env.ts'
import type { NotifierService } from './notifier.ts'

/** The name of the only object. */
const NAME = 'notifier'

/** Returns the notifier; null for a deployment without the binding. */
export function notifierOf({ NOTIFIER }: Pick<Env, 'NOTIFIER'>): NotifierService | null {
  if (!NOTIFIER) return null
  // A stub has the methods of its class, which `wrangler.toml` names and the type of the binding does not.
  return NOTIFIER.get(NOTIFIER.idFromName(NAME)) as unknown as NotifierService
}
