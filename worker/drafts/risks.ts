/**
 * Why a changed file is worth a first look: a reviewer is shown risky files before all others. A risk is a hint to a
 * person, never a permission. `test/worker/drafts/risks.test.ts` has the cases.
 *
 * @module
 */

import type { Risk } from '#core/owner/answers/drafts.ts'
import { nameOf, type StorePath } from '#core/path.ts'
import { pathPieces } from '#core/visible-path.ts'
import type { LineFacts } from '../changes/line-facts.ts'

/** One changed file or folder. */
export interface RiskyChange {
  readonly path: StorePath
  readonly change: 'added' | 'changed' | 'deleted'
  /** Whether it is executable in the draft. */
  readonly runs?: boolean
  /** What comparing its lines gave; null if they were not compared. */
  readonly lines: LineFacts | null
}

/** Names the risks of a changed file. */
export function risksOf({ path, change, lines, runs = false }: RiskyChange): Risk[] {
  const isDeleted = change === 'deleted'
  const named: readonly (readonly [Risk, boolean])[] = [
    ['deletion', isDeleted],
    ['rewrite', change === 'changed' && lines !== null && isRewrite(lines)],
    ['secret', SECRET.test(nameOf(path))],
    ['app', APP.test(path)],
    ['executable', !isDeleted && (runs || RUNS.test(path))],
    ['hidden', !isDeleted && (lines?.hides === true || hidesInPath(path))],
    ['lookalike', !isDeleted && path.split('/').some(mixesScripts)],
  ]
  return named.flatMap(([risk, applies]) => (applies ? [risk] : []))
}

/** Names of files in which people keep secrets. */
const SECRET =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|(?:.*[._-])?(?:secrets?|credentials?|passwords?|tokens?)(?:[._-].*)?)$/i

/** Places whose files are an app, or instructions that agents follow, once they are approved. */
const APP = /^\/(?:\.apps|\.skills)\//

/** Files that programs run: scripts, programs, hooks, and what a build service takes. */
const RUNS =
  /(?:\.(?:sh|bash|zsh|fish|command|bat|cmd|ps1|vbs|exe|msi|com|scr|app|jar|desktop)|\/\.git\/hooks\/[^/]+|\/\.husky\/[^/]+|\/\.github\/workflows\/[^/]+)$/i

/** Most lines that a file may lose before it counts as rewritten, if they are most of it. */
const FEW_LINES = 10

/** Whether most lines of a text are gone. */
const isRewrite = ({ removed, kept }: LineFacts) => removed > FEW_LINES && removed > kept

/** Whether a path is drawn with a character that has no form of its own. */
const hidesInPath = (path: string) =>
  pathPieces(path).some((piece) => typeof piece !== 'string' && 'name' in piece)

const LATIN = /\p{Script=Latin}/u
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** Whether a name has Latin letters and letters of a script that look like them (UTS #39, single script). */
const mixesScripts = (name: string) => LATIN.test(name) && ALIKE.test(name)
