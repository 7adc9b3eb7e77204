/**
 * The parts of a question's dialog: its subject and its two buttons. No comes first and has the
 * focus; yes is a decision.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import type { ComponentChildren } from 'preact'
import { DecisionButton } from '../ui/decision-button.tsx'
import { truncate } from '../ui/format.ts'
import type { Subject } from '../../consent/types.ts'
import { describeAsker, queue, type Asker, type QueuedQuestion } from './queue.ts'
import { Intent } from '../tools/intent.tsx'
import { Json } from '../ui/json.tsx'
import { Sentence } from '../ui/path.tsx'
import { Visible } from '../ui/visible.tsx'

/** Props of a dialog for questions of one kind. */
export interface QuestionProps<K extends QueuedQuestion['kind']> {
  readonly one: Extract<QueuedQuestion, { kind: K }>
}

interface StatementProps {
  readonly subject: Subject
  /** Whether a preview beside it shows what the call would write. */
  readonly isPreviewed?: boolean
}

/** Shows the subject of a question, with the call's values marked, and what it would write. */
export function QuestionSubject({
  asker,
  subject,
  isPreviewed = false,
}: StatementProps & { readonly asker: Asker }) {
  const { call, title } = subject
  return (
    <>
      <dl class="facts">
        <dt>Requested by</dt>
        <dd>
          <Sentence text={describeAsker(asker)} />
        </dd>
        <dt>Tool</dt>
        <dd>
          <Visible text={title} />{' '}
          <code>
            <Visible text={call.tool} />
          </code>
        </dd>
        <dt>Server</dt>
        <dd>
          <Visible text={asker.server} />
        </dd>
      </dl>
      <CallStatement subject={subject} isPreviewed={isPreviewed} />
    </>
  )
}

/** Says what a call would do, and shows its arguments. */
export const CallStatement = ({ subject, isPreviewed = false }: StatementProps) => (
  <>
    <p class="statement">
      <Intent parts={subject.intent.parts} />
    </p>
    {!isPreviewed && <Unsaid subject={subject} />}
    <details>
      <summary>Arguments sent</summary>
      <Json value={subject.call.args} label="Arguments" />
    </details>
  </>
)

/** Most characters of an argument that are shown; the JSON beneath has all of it. */
const MAX_LENGTH = 4_000

/** Shows the arguments that the sentence does not, such as the text that a file would get. */
function Unsaid({ subject: { call, intent } }: { readonly subject: Subject }) {
  const shown = new Set(
    intent.parts.flatMap((part) => (part.type === 'value' ? part.key.split('.')[0] : [])),
  )
  const unsaid = Object.entries(call.args).filter(([name]) => !shown.has(name))
  return (
    <>
      {unsaid.map(([name, value]) => (
        <figure key={name} class="unsaid">
          <figcaption class="label">
            <Visible text={name} />
          </figcaption>
          <pre class="plainbox" tabIndex={0} role="region" aria-label={visible(name)}>
            <VisibleLines text={truncate(formatArgument(value), MAX_LENGTH)} />
          </pre>
        </figure>
      ))}
    </>
  )
}

/** Shows untrusted text with its line breaks; other hidden characters appear by name. */
export const VisibleLines = ({ text }: { readonly text: string }) =>
  text.split('\n').map((line, index) => (
    <>
      {index > 0 && '\n'}
      <Visible text={line} />
    </>
  ))

const formatArgument = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** Shows how many other questions are waiting. */
export function OtherQuestions() {
  const others = queue.value.length - 1
  if (others === 0) return null
  return <p class="faint small">{others === 1 ? '1 more question' : `${others} more questions`}</p>
}

/** The button that agrees. */
export function YesButton({
  onYes,
  disabled = false,
  danger = false,
  children,
}: {
  readonly onYes: () => void
  readonly disabled?: boolean
  readonly danger?: boolean
  readonly children: ComponentChildren
}) {
  return (
    <DecisionButton
      shown={null}
      look={danger ? 'danger' : 'primary'}
      isOff={disabled}
      onDecide={onYes}
    >
      {children}
    </DecisionButton>
  )
}

/** The button that declines; it has the focus first. */
export function NoButton({
  onNo,
  children,
}: {
  readonly onNo: () => void
  readonly children: string
}) {
  return (
    <button type="button" class="button" data-first onClick={onNo}>
      {children}
    </button>
  )
}
