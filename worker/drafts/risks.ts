/**
 * Why a changed file is worth a first look: a reviewer is shown risky files before all others. A risk is a hint to a
 * person, never a permission. `test/worker/drafts/risks.test.ts` has the cases.
 *
 * @module
 */

import type { Risk } from '#core/owner/answers/drafts.ts'
import type { StorePath } from '#core/path.ts'
import { pathPieces } from '#core/visible-path.ts'
import { mayHaveSecrets } from '../access/page-scope.ts'
import type { LineFacts } from '../changes/line-facts.ts'

/** One changed file or folder. */
export interface RiskyChange {
  readonly path: StorePath
  readonly change: 'added' | 'changed' | 'deleted'
  /** Where it was moved from. */
  readonly from?: StorePath
  /** Bytes before and after; null where there is no file. */
  readonly sizes?: readonly [number | null, number | null]
  /** Whether it is executable in the draft. */
  readonly runs?: boolean
  /** Whether it has lines again that a person took out of it. */
  readonly bringsBack?: boolean
  /** What comparing its lines gave; null if they were not compared. */
  readonly lines: LineFacts | null
}

/** Names the risks of a changed file. */
export function risksOf(row: RiskyChange): Risk[] {
  const { path, change, lines, runs = false, from = path, sizes = [null, null] } = row
  const isDeleted = change === 'deleted'
  const isAny = (pattern: RegExp) => pattern.test(path) || pattern.test(from)
  const named: readonly (readonly [Risk, boolean])[] = [
    ['deletion', isDeleted],
    ['rewrite', change === 'changed' && (lines ? isRewrite(lines) : shrinks(sizes))],
    ['secret', mayHaveSecrets(path) || mayHaveSecrets(from)],
    ['app', isAny(APP)],
    ['executable', !isDeleted && (runs || isAny(RUNS))],
    ['hidden', !isDeleted && (lines?.hides === true || hidesInPath(path))],
    ['brings_back', row.bringsBack === true],
    ['lookalike', !isDeleted && path.split('/').some(mixesScripts)],
  ]
  return named.flatMap(([risk, applies]) => (applies ? [risk] : []))
}

/** Files that are an app, or instructions that agents follow, once they are approved. */
const APP =
  /^\/(?:\.apps|\.skills)(?:\/|$)|\/(?:AGENTS|CLAUDE|GEMINI)\.md$|\/\.(?:cursorrules|cursor\/rules\/[^/]+|mcp\.json)$|\/copilot-instructions\.md$/i

/** Files that programs run: scripts, programs, hooks, and what a build service takes. */
const RUNS =
  /(?:\.(?:sh|bash|zsh|fish|command|bat|cmd|ps1|vbs|exe|msi|com|scr|app|jar|desktop|lnk|hta)\.?|\/\.(?:bashrc|zshrc|profile|bash_profile|gitlab-ci\.yml)|\/(?:Makefile|package\.json|Dockerfile|Jenkinsfile|\.git\/config|\.vscode\/tasks\.json)|\/\.git\/hooks\/[^/]+|\/\.husky\/[^/]+|\/\.github\/(?:workflows|actions)\/.+)$/i

/** Most lines that a file may lose before it counts as rewritten, if they are most of it. */
const FEW_LINES = 10

/** Whether most lines of a text are gone. */
const isRewrite = ({ removed, kept }: LineFacts) => removed > FEW_LINES && removed > kept

/** Whether a file that is not compared by lines loses most of its bytes. */
const shrinks = ([before, after]: readonly [number | null, number | null]) =>
  before !== null && after !== null && before > FEW_BYTES && after * 2 < before

const FEW_BYTES = 1_024

/** Whether a path is drawn with a character that has no form of its own. */
const hidesInPath = (path: string) =>
  pathPieces(path).some((piece) => typeof piece !== 'string' && 'name' in piece)

const LATIN = /\p{Script=Latin}/u
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Whether a name has Latin letters and letters of a script that look like them (UTS #39, single script), or letters that
 * are another form of usual ones. Its ending is Latin in every language.
 */
function mixesScripts(name: string): boolean {
  const main = name.replace(/(?<=.)\.[a-z0-9]+$/i, '')
  return (LATIN.test(main) && ALIKE.test(main)) || name.normalize('NFKC') !== name
}
