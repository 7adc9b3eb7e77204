/** Badges for the facts of a tool: effect, approval level, preview, view and scopes, and what they mean. @module */

import { Fragment } from 'preact'
import type { ToolFacts } from '../../mcp/tool-facts.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { Badge, type Tone } from '../ui/parts.tsx'

/** A badge, with the sentence that explains it. */
interface Fact {
  readonly tone: Tone
  readonly word: string
  readonly help: string
}

const HINTS: Readonly<Record<ApprovalLevel, Fact>> = {
  none: {
    tone: 'plain',
    word: 'asks for no approval',
    help: 'The tool advises clients to run a call without asking.',
  },
  notify: {
    tone: 'info',
    word: 'asks for a notice',
    help: 'The tool advises clients to run a call and to notify a person.',
  },
  review: {
    tone: 'info',
    word: 'asks for review',
    help: 'The tool advises clients to show a person what a call would do.',
  },
  confirm: {
    tone: 'warning',
    word: 'asks for confirmation',
    help: 'The tool advises clients to ask a person about each call.',
  },
}

/** The scopes of most tools in words; which files they are depends on the call. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ['read:file', 'reads files'],
  ['write:file', 'changes files'],
])

const plain = (word: string, help: string): Fact => ({ tone: 'plain', word, help })

/** Lists the facts of a tool in words. */
function listFacts({ readOnly, destructive, hint, ...facts }: ToolFacts): Fact[] {
  const { preview, scopes, visibility, ui, isTask } = facts
  const effect: Fact[] = readOnly
    ? [{ tone: 'success', word: 'read-only', help: 'A call changes nothing.' }]
    : destructive
      ? [{ tone: 'danger', word: 'destructive', help: 'A call can remove or replace what exists.' }]
      : []
  return [
    ...effect,
    ...(readOnly && hint === 'none' ? [] : [HINTS[hint]]),
    ...(preview
      ? [plain('has a preview', 'What a call would change is shown before it runs.')]
      : []),
    ...(isTask
      ? [plain('runs as a task', 'The server works on a call in the background. It can take long.')]
      : []),
    ...(ui ? [plain('has a view', 'An app shows the result.')] : []),
    ...(visibility.model ? [] : [plain('not for agents', 'Agents do not see this tool.')]),
    ...(visibility.app ? [] : [plain('not for apps', 'Apps cannot call it.')]),
    ...scopes.map((scope) =>
      plain(SCOPES.get(scope) ?? `needs ${scope}`, `A call can require the scope ${scope}.`),
    ),
  ]
}

interface Props {
  readonly facts: ToolFacts
}

/** Shows the facts of a tool as badges. */
export const FactBadges = ({ facts }: Props) => (
  <span class="badges">
    {listFacts(facts).map(({ tone, word, help }) => (
      <Badge key={word} tone={tone} title={help}>
        {word}
      </Badge>
    ))}
  </span>
)

/** Explains the badges where a pointer is not needed, as it is for their titles. */
export const BadgeExplanations = ({ facts }: Props) => (
  <details class="explained">
    <summary>What the badges mean</summary>
    <dl class="facts">
      {listFacts(facts).map(({ word, help }) => (
        <Fragment key={word}>
          <dt>{word}</dt>
          <dd>{help}</dd>
        </Fragment>
      ))}
    </dl>
  </details>
)
