/** Saved inputs of a tool. @module */

import { useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { createSavedInputs } from '../../records/saved.ts'
import { Icon } from '../parts/icons.tsx'
import { Copy } from '../parts/copy.tsx'
import { Modal } from '../parts/modal.tsx'
import { openConnection } from '../state/link.ts'
import { linkTo } from '../state/route.ts'
import { say } from '../state/toast.ts'

const saved = createSavedInputs()

interface Props {
  readonly tool: string
  readonly args: JsonRecord
  readonly onChoose: (args: JsonRecord) => void
}

/** Shows the buttons for saved inputs and for a link to the current one. */
export function SavedCalls({ tool, args, onChoose }: Props) {
  const server = openConnection().url
  const [isOpen, setOpen] = useState(false)
  const link = new URL(linkTo(['tools', tool], { args: JSON.stringify(args) }), location.href).href
  return (
    <div class="row">
      <button type="button" class="button quiet small" onClick={() => setOpen(true)}>
        <Icon name="copy" /> Saved inputs
      </button>
      <Copy text={link} label="Copy link" />
      {isOpen && (
        <Dialog
          server={server}
          tool={tool}
          args={args}
          onChoose={(chosen) => {
            setOpen(false)
            onChoose(chosen)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type DialogProps = Props & { readonly server: string; readonly onClose: () => void }

function Dialog({ server, tool, args, onChoose, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const [list, setList] = useState(() => saved.list(server, tool))
  const save = () => {
    const made = saved.save(server, tool, { name: name.trim() || 'Without a name', args })
    if (!made) return say('This input is too large to be saved', { tone: 'danger' })
    setName('')
    setList(saved.list(server, tool))
  }
  const remove = (id: string) => {
    saved.remove(server, tool, id)
    setList(saved.list(server, tool))
  }
  return (
    <Modal
      title="Saved inputs"
      intro="Kept in this browser, for this tool of this server."
      onClose={onClose}
      foot={
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <div class="row">
        <input
          class="grow"
          data-first
          aria-label="Name for what is typed now"
          placeholder="Name for what is typed now"
          maxLength={120}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="button" class="button" onClick={save}>
          <Icon name="plus" /> Save
        </button>
      </div>
      {list.length === 0 && <p class="faint">Nothing is saved yet.</p>}
      <ul class="lines">
        {list.map((one) => (
          <li key={one.id} class="row apart">
            <button type="button" class="button quiet" onClick={() => onChoose(one.args)}>
              {one.name}
            </button>
            <button
              type="button"
              class="button quiet small icononly"
              aria-label={`Remove ${one.name}`}
              onClick={() => remove(one.id)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
