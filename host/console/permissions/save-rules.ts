/**
 * Saves edited rules after a question that lists what changes. The form may have been open for long, so the edited
 * fields are saved over the rules as the server has them by then: what was changed elsewhere meanwhile stays. What is
 * changed while the question is open is asked about once more.
 *
 * `test/pages/console/rules-saving.test.ts` covers it.
 *
 * @module
 */

import { ok, type Result } from '#core/result.ts'
import { visible } from '#core/visible.ts'
import type { ApiProblem, WorkspaceApi } from '../../mcp/workspace-api.ts'
import { askToConfirm } from '../questions/queue.ts'
import { diffConfigs, rebaseConfig, type ConfigEdit, type Difference } from './config-diff.ts'

/** The status of rules that are no longer the ones that were read (RFC 9110, section 15.5.13). */
const CHANGED = 412

/** Saves an edit of the rules. Resolves to whether the rules are as wanted; false if the person declined. */
export async function saveRules(
  api: Pick<WorkspaceApi, 'config' | 'setConfig'>,
  edit: ConfigEdit,
  isAgain = false,
): Promise<Result<boolean, ApiProblem>> {
  const now = await api.config()
  if (!now.ok) return now
  const config = rebaseConfig(now.value.config, edit)
  const changes = diffConfigs(now.value.config, config)
  if (changes.length === 0) return ok(true)
  if (!(await askToConfirm(describeSave(changes, isAgain)))) return ok(false)
  const saved = await api.setConfig(config, now.value.tag)
  if (saved.ok) return ok(true)
  return saved.error.status === CHANGED ? saveRules(api, edit, true) : saved
}

const describeSave = (changes: readonly Difference[], isAgain: boolean) => ({
  title: 'Save these rules?',
  text: `${isAgain ? 'The rules were changed elsewhere meanwhile. ' : ''}${summarizeChanges(changes)}`,
  detail: changes
    .map(({ name, before, after }) => visible(`${name}: ${before} → ${after}`))
    .join('\n'),
  yes: 'Save',
})

/** Counts the rules that change. */
export const summarizeChanges = (changes: readonly Difference[]) =>
  changes.length === 1 ? '1 rule changes.' : `${changes.length} rules change.`
