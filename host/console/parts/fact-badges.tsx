/** Badges for the facts of a tool: effect, approval level, preview, view and scopes. @module */

import type { ToolFacts } from '../../connection/facts.ts'
import type { Attention } from '../../consent/types.ts'
import { Badge, type Tone } from './parts.tsx'

const HINTS: Readonly<Record<Attention, readonly [Tone, string, string]>> = {
  none: ['plain', 'hint: none', 'The tool advises clients to run a call without asking'],
  notify: ['info', 'hint: notify', 'The tool advises clients to run a call and to notify a person'],
  review: [
    'info',
    'hint: review',
    'The tool advises clients to show a person what a call would do',
  ],
  confirm: ['warning', 'hint: confirm', 'The tool advises clients to ask a person about each call'],
}

/** Shows the facts of a tool as badges. */
export function FactBadges({ facts }: { readonly facts: ToolFacts }) {
  const { readOnly, destructive, hint, preview, scopes, visibility, ui } = facts
  const [tone, word, help] = HINTS[hint]
  return (
    <span class="badges">
      {readOnly ? <Badge tone="success">reads only</Badge> : null}
      {destructive && !readOnly ? (
        <Badge tone="danger" title="It may overwrite or remove something">
          can overwrite
        </Badge>
      ) : null}
      {readOnly && hint === 'none' ? null : (
        <Badge tone={tone} title={help}>
          {word}
        </Badge>
      )}
      {preview && <Badge title="It can show what it would do">preview</Badge>}
      {ui && <Badge title="Its result has a view">view</Badge>}
      {!visibility.model && <Badge title="Agents do not see it">not for agents</Badge>}
      {!visibility.app && <Badge title="Apps may not call it">not for apps</Badge>}
      {scopes.map((scope) => (
        <Badge key={scope} title="What it needs to be allowed to touch">
          <code>{scope}</code>
        </Badge>
      ))}
    </span>
  )
}
