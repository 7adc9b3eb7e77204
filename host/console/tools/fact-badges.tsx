/** Badges for the facts of a tool: effect, approval level, preview, view and scopes. @module */

import type { ToolFacts } from '../../mcp/tool-facts.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { Badge, type Tone } from '../ui/parts.tsx'

const HINTS: Readonly<Record<ApprovalLevel, readonly [Tone, string, string]>> = {
  none: ['plain', 'asks for no approval', 'The tool advises clients to run a call without asking'],
  notify: [
    'info',
    'asks for a notice',
    'The tool advises clients to run a call and to notify a person',
  ],
  review: [
    'info',
    'asks for review',
    'The tool advises clients to show a person what a call would do',
  ],
  confirm: [
    'warning',
    'asks for confirmation',
    'The tool advises clients to ask a person about each call',
  ],
}

/** The scopes of most tools in words; which files they are depends on the call. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ['read:file', 'reads files'],
  ['write:file', 'changes files'],
])

/** Shows the facts of a tool as badges. */
export function FactBadges({ facts }: { readonly facts: ToolFacts }) {
  const { readOnly, destructive, hint, preview, scopes, visibility, ui } = facts
  const [tone, word, help] = HINTS[hint]
  return (
    <span class="badges">
      {readOnly ? <Badge tone="success">read-only</Badge> : null}
      {destructive && !readOnly ? (
        <Badge tone="danger" title="Can overwrite or remove data">
          destructive
        </Badge>
      ) : null}
      {readOnly && hint === 'none' ? null : (
        <Badge tone={tone} title={help}>
          {word}
        </Badge>
      )}
      {preview && <Badge title="Shows a preview of its changes">has a preview</Badge>}
      {ui && <Badge title="Shows its result in a view">has a view</Badge>}
      {!visibility.model && <Badge title="Hidden from agents">not for agents</Badge>}
      {!visibility.app && <Badge title="Apps cannot call it">not for apps</Badge>}
      {scopes.map((scope) => (
        <Badge key={scope} title={`Required scope: ${scope}`}>
          {SCOPES.get(scope) ?? `needs ${scope}`}
        </Badge>
      ))}
    </span>
  )
}
