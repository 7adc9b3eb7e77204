/**
 * The budget of wrong passwords, per address and for all together, as sign-in has one.
 *
 * A password that was right before passes, and one that was wrong before is refused, without a use of the budget: so a
 * forgotten client that repeats an ended link keeps no other client at its address out. Hashes alone are in memory.
 * `test/worker/dav/password.test.ts` has the cases.
 *
 * @module
 */

import { createAttempts } from '../auth/attempts.ts'
import { MAX_PASSWORDS } from './limits.ts'

/** What to do with a password: check it, refuse it as before, or have its sender wait for some seconds. */
export type PasswordVerdict = 'check' | 'wrong' | number

/** The passwords that were sent to one object. */
export type Passwords = ReturnType<typeof createPasswords>

/** Creates the memory of passwords. `now` is in milliseconds. */
export function createPasswords(now: () => number = Date.now) {
  const attempts = createAttempts(now)
  const [right, wrong, checked] = [new Set<string>(), new Set<string>(), new Set<string>()]

  return {
    /** Decides on a password by its hash, and takes a use of the budget for one that is new. */
    judge(hash: string, address: string): PasswordVerdict {
      if (wrong.has(hash)) return 'wrong'
      // A client sends several requests at once, of which the first uses the budget.
      if (right.has(hash) || checked.has(hash)) return 'check'
      const wait = attempts.count(address)
      if (wait > 0) return wait
      remember(checked, hash)
      return 'check'
    },
    /** Remembers a right password, and gives back the use of the budget that it took. */
    right(hash: string, address: string): void {
      if (checked.delete(hash)) attempts.forget(address)
      remember(right, hash)
    },
    /** Remembers a wrong password, or one that is not right any more. */
    wrong(hash: string): void {
      checked.delete(hash)
      right.delete(hash)
      remember(wrong, hash)
    },
  }
}

function remember(hashes: Set<string>, hash: string): void {
  hashes.delete(hash)
  hashes.add(hash)
  const [oldest] = hashes
  if (hashes.size > MAX_PASSWORDS && oldest !== undefined) hashes.delete(oldest)
}
