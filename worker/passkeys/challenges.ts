/**
 * Challenges: each is made for one act, can be answered once, and soon expires.
 *
 * A challenge is a hash of the workspace, the act and a nonce, so a signature of it is a signature of what was
 * shown. They are in a table, because the object can be evicted between question and answer.
 * `test/worker/passkeys/attacks.test.ts` has the cases.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { toBase64Url } from '../encoding/base64.ts'
import { keepShares, type SharedRows } from '../database/shares.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import { MAX_CHALLENGE_SECONDS, MAX_CHALLENGES } from './limits.ts'

/** What a passkey is asked for: the name of the act, then everything that decides its effect, as JSON. */
export type Act = readonly [name: string, ...details: readonly unknown[]]

/** The challenges of one workspace. */
export type Challenges = ReturnType<typeof createChallenges>

/** Opens the table of challenges. `workspace` identifies the object. */
export function createChallenges(database: SqlStorage, workspace: string) {
  const sql = tablesOf(database, 'passkeys')
  return {
    /** Makes a challenge for an act, in base64url. */
    issue: (act: Act, now: number): string => issue(sql, workspace, act, now),
    /** Removes a challenge. Returns whether it was made for this act and had not expired. */
    take: (challenge: string, act: Act, now: number): boolean => {
      const row = takeRow(sql, challenge)
      return (
        row !== null && row.expires > now && challengeFor(workspace, act, row.nonce) === challenge
      )
    },
  }
}

function issue(sql: Tables, workspace: string, act: Act, now: number): string {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const challenge = challengeFor(workspace, act, nonce)
  sql.exec('DELETE FROM passkey_challenges WHERE expires <= ?', now)
  sql.exec(
    'INSERT INTO passkey_challenges (challenge, nonce, expires, budget) VALUES (?, ?, ?, ?)',
    ...[challenge, nonce, now + MAX_CHALLENGE_SECONDS * 1000, challengeFor(workspace, act, '')],
  )
  keepShares(sql, CHALLENGES, MAX_CHALLENGES)
  return challenge
}

/** Only the owner is asked. Each act has a share, so that no page in a loop takes the challenge of another away. */
const CHALLENGES: SharedRows = { table: 'passkey_challenges', id: 'seq' }

function takeRow(sql: Tables, challenge: string) {
  const rows = sql.exec<{ nonce: string; expires: number }>(
    'DELETE FROM passkey_challenges WHERE challenge = ? RETURNING nonce, expires',
    challenge,
  )
  return rows.toArray()[0] ?? null
}

function challengeFor(workspace: string, act: Act, nonce: string): string {
  const text = JSON.stringify(['edgewise passkey', workspace, act, nonce])
  return hash('sha256', text, 'base64url')
}
