/**
 * What can be made of a file or folder: rename, move, delete, download. A menu offers it, and a dialog does it.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import type { TargetedToggleEvent } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { visible } from '#core/visible.ts'
import { askToDelete } from '../activity/undo.tsx'
import { basePath } from '../connect/workspace.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { closeEditing } from './editing.ts'
import { MoveDialog } from './move-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { addressOf, type Entry } from './source.ts'

/** What can be made of an entry in a dialog. */
export type Act = 'rename' | 'move' | 'delete'

/** What an action needs to know of an entry. */
export type Acted = Pick<Entry, 'path' | 'type' | 'version'>

/** Holds the open dialog. `onDone` is called with the new path of what was moved, and with null after a deletion. */
export function useEntryActions(onDone?: (path: string | null) => void) {
  const [open, setOpen] = useState<{ readonly act: Act; readonly entry: Acted } | null>(null)
  const start = (act: Act, entry: Acted) => {
    if (act !== 'delete') return setOpen({ act, entry })
    askToDelete(entry, () => {
      closeEditing(entry.path)
      onDone?.(null)
      // By then the dialog has given the focus back to the entry, which goes with the next reading.
      setTimeout(() => focusBeside(`[data-path="${CSS.escape(entry.path)}"] a`, '.entries tbody a'))
    })
  }
  const close = (moved: string | null) => {
    setOpen(null)
    if (moved !== null) onDone?.(moved)
  }
  const Dialog = open?.act === 'rename' ? RenameDialog : MoveDialog
  return { open: start, dialog: open && <Dialog entry={open.entry} onClose={close} /> }
}

const ACTS: readonly { readonly act: Act; readonly icon: IconName; readonly text: string }[] = [
  { act: 'rename', icon: 'file', text: 'Rename' },
  { act: 'move', icon: 'arrow', text: 'Move' },
  { act: 'delete', icon: 'trash', text: 'Delete' },
]

interface MenuProps {
  readonly entry: Acted
  readonly onAct: (act: Act) => void
}

/** Room (px) that the menu needs below its button. */
const MENU_HEIGHT = 190

/** Shows the button of the menu, and the menu while it is open. */
export function EntryMenu({ entry, onAct }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const handleToggle = (event: TargetedToggleEvent<HTMLDivElement>) => {
    const opens = event.newState === 'open'
    setOpen(opens)
    if (opens && button.current && menu.current) place(menu.current, button.current)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button quiet small icononly"
        aria-label={`Actions for ${visible(entry.path.slice(entry.path.lastIndexOf('/') + 1))}`}
        aria-expanded={isOpen}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div ref={menu} id={id} popover="auto" class="entrymenu" onBeforeToggle={handleToggle}>
        {isOpen && (
          <Items
            entry={entry}
            onAct={(act) => {
              menu.current?.hidePopover()
              button.current?.focus()
              onAct(act)
            }}
          />
        )}
      </div>
    </>
  )
}

function Items({ entry, onAct }: MenuProps) {
  const isFolder = entry.type === 'folder'
  const address = addressOf(basePath.value, entry.path, isFolder ? 'export' : 'files')
  return (
    <>
      {ACTS.map(({ act, icon, text }) => (
        <button key={act} type="button" class="button quiet small" onClick={() => onAct(act)}>
          <Icon name={icon} /> {text}…
        </button>
      ))}
      <a class="button quiet small" href={isFolder ? `${address}?format=zip` : address} download>
        <Icon name="download" /> Download{isFolder && ' as zip'}
      </a>
    </>
  )
}

/** Puts the menu below its button, or above it where there is no room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const isBelow = bottom + MENU_HEIGHT < innerHeight
  menu.style.insetInlineEnd = `${Math.max(0, document.documentElement.clientWidth - right)}px`
  menu.style.insetBlockStart = isBelow ? `${bottom + 4}px` : 'auto'
  menu.style.insetBlockEnd = isBelow ? 'auto' : `${innerHeight - top + 4}px`
}
