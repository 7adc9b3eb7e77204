/** What the head of a file has to amend it: that it is amended, a way back, and the button that opens its text. @module */

import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { visible } from '#core/visible.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge } from '../ui/parts.tsx'
import { AMENDED } from './words.ts'
import { amendmentOf, fieldOf, setAmendment, setField } from './work.ts'

interface Props {
  /** The workspace and the draft. */
  readonly work: string
  readonly file: ChangedFile
  readonly tabIndex: number
}

/** Shows them. */
export function FileTools({ work, file, tabIndex }: Props) {
  const name = <span class="unseen"> {visible(file.path)}</span>
  const isOpen = fieldOf(work, file) !== null
  return (
    <span class="filetools">
      {amendmentOf(work, file) && (
        <>
          <Badge tone="info">{AMENDED}</Badge>
          <button
            type="button"
            class="button quiet small"
            data-undo-amendment
            tabIndex={tabIndex}
            onClick={(event) => {
              // The button goes away with the amendment.
              event.currentTarget.parentElement?.querySelector<HTMLElement>('[data-edit]')?.focus()
              setAmendment(work, file, null)
            }}
          >
            <Icon name="undo" /> Undo amendment{name}
          </button>
        </>
      )}
      <button
        type="button"
        class="button quiet small"
        data-edit
        aria-expanded={isOpen}
        tabIndex={tabIndex}
        onClick={() => {
          if (isOpen) sectionOf(file)?.querySelector<HTMLElement>('.textfield textarea')?.focus()
          else setField(work, file, { typed: null })
        }}
      >
        Edit{name}
      </button>
    </span>
  )
}

/** Closes the field of a file; the focus returns to the button that opened it. */
export function closeField(work: string, file: ChangedFile): void {
  setField(work, file, null)
  sectionOf(file)?.querySelector<HTMLElement>('[data-edit]')?.focus()
}

function sectionOf({ path }: ChangedFile): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>('.draftfiles > li')
  return [...all].find((one) => one.dataset['path'] === path)
}
