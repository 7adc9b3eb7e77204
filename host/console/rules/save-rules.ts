/**
 * Saves edited rules after a question that lists what changes. The form may have been open for long, so the edited
 * fields are saved over the rules as the server has them by then: what was changed elsewhere meanwhile stays. What is
 * changed while the question is open is asked about once more.
 *
 * `test/host/console/rules.test.tsx` covers it.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import { sendAct, sendForTag } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'
import { askToConfirm } from '../questions/queue.ts'
import { diffConfigs, rebaseConfig, type ConfigEdit, type Difference } from './config-diff.ts'

/** The status of rules that are no longer the ones that were read (RFC 9110, section 15.5.13). */
const CHANGED = 412

/**
 * Saves an edit of the rules. Resolves to whether the rules are as wanted; false if the person declined. Rejects as
 * {@link sendAct}.
 */
export async function saveRules(base: string, edit: ConfigEdit, isAgain = false): Promise<boolean> {
  const { answer: now, tag } = await sendForTag(base, 'read_config', {})
  const config = rebaseConfig(now, edit)
  const changes = diffConfigs(now, config)
  if (changes.length === 0) return true
  if (!(await askToConfirm(describeSave(changes, isAgain)))) return false
  try {
    await sendAct(base, 'configure', { body: config, ifMatch: tag ?? undefined })
    return true
  } catch (error) {
    if (error instanceof AnswerError && error.status === CHANGED) return saveRules(base, edit, true)
    throw error
  }
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
