/** Saved inputs of a tool. @module */

import { visible } from '#core/visible.ts'
import { useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { createSavedInputs } from '../../records/saved-inputs.ts'
import type { SavedInput } from '../../records/types.ts'
import type { RequestOptions } from './request-options.ts'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Copy } from '../ui/copy.tsx'
import { Modal } from '../ui/modal.tsx'
import { openConnection } from '../connect/connection.ts'
import { linkTo } from '../shell/route.ts'
import { showToast } from '../ui/toasts.tsx'

const saved = createSavedInputs()

interface Props {
  readonly tool: string
  readonly args: JsonRecord
  /** The request options of the form, which are saved with the arguments. */
  readonly options: RequestOptions
  readonly onChoose: (saved: SavedInput) => void
}

/** Shows the buttons for saved inputs and for a link to the current one. */
export function SavedInputs({ tool, args, options, onChoose }: Props) {
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
          options={options}
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

function Dialog({ server, tool, args, options, onChoose, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [list, setList] = useState(() => saved.list(server, tool))
  const save = () => {
    const named = { name: name.trim() || 'Untitled', description }
    const made = saved.save(server, tool, { ...named, args, meta: { ...options } })
    if (!made) return showToast('Cannot save the input: it is too large', { tone: 'danger' })
    setName('')
    setDescription('')
    setList(saved.list(server, tool))
  }
  const remove = (id: string) => {
    saved.remove(server, tool, id)
    setList(saved.list(server, tool))
  }
  return (
    <Modal
      title="Saved inputs"
      intro="Stored in this browser for this tool of this server."
      asksToDiscard={name.trim() === '' && description.trim() === '' ? undefined : 'always'}
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
          aria-label="Name of this input"
          placeholder="Name of this input"
          maxLength={120}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="button" class="button" onClick={save}>
          <Icon name="plus" /> Save
        </button>
      </div>
      <TextField
        label="Description"
        value={description}
        maxLength={1_000}
        help="Policy, granted scopes and other request options are saved too."
        onInput={setDescription}
      />
      {list.length === 0 && <p class="faint">No saved inputs yet.</p>}
      <SavedList list={list} onChoose={onChoose} onRemove={remove} />
    </Modal>
  )
}

interface ListProps {
  readonly list: readonly SavedInput[]
  readonly onChoose: (saved: SavedInput) => void
  readonly onRemove: (id: string) => void
}

const SavedList = ({ list, onChoose, onRemove }: ListProps) => (
  <ul class="lines">
    {list.map((one) => (
      <li key={one.id} class="row apart">
        <button type="button" class="button quiet" onClick={() => onChoose(one)}>
          {one.name}
        </button>
        {one.description !== '' && <span class="grow small faint">{one.description}</span>}
        <button
          type="button"
          class="button quiet small icononly"
          aria-label={`Remove ${visible(one.name)}`}
          onClick={() => onRemove(one.id)}
        >
          <Icon name="trash" />
        </button>
      </li>
    ))}
  </ul>
)
