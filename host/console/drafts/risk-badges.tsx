/** Why a file comes first in a review, in words. @module */

import type { Risk } from '#core/owner/answers/drafts.ts'
import { Badge } from '../ui/parts.tsx'

const RISKS: Readonly<Record<Risk, { readonly text: string; readonly why: string } | null>> = {
  // The badge of what happens to the file says it.
  deletion: null,
  rewrite: { text: 'rewritten', why: 'Most of its lines are gone' },
  secret: { text: 'may hold secrets', why: 'Files of this name often hold keys or passwords' },
  app: { text: 'app or instructions', why: 'It is part of an app or a skill, or agents follow it' },
  executable: { text: 'runs as a program', why: 'Programs or services run files of this name' },
  hidden: {
    text: 'hidden characters',
    why: 'Its path or its new lines have characters that are not seen',
  },
  brings_back: {
    text: 'brings back what you left out',
    why: 'It adds or deletes lines again that you left out of an earlier change of this file',
  },
  lookalike: { text: 'look-alike name', why: 'Its path mixes letters that look like others' },
}

/** Shows the risks of a file. */
export const RiskBadges = ({ risks }: { readonly risks: readonly Risk[] }) =>
  risks.map((risk) => {
    const shown = RISKS[risk]
    return (
      shown && (
        <span key={risk} title={shown.why}>
          <Badge tone="warning">{shown.text}</Badge>
        </span>
      )
    )
  })
