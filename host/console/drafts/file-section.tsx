/** One changed file of a draft: what happens to it, whether it is selected and viewed, and its difference below. @module */

import type { ComponentChildren } from 'preact'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { visible } from '#core/visible.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge } from '../ui/parts.tsx'
import { FileFacts, FilePath } from './file-facts.tsx'
import { keptHeight, Near } from './near.tsx'
import type { Since } from './viewed.ts'

const NEWS: Readonly<Record<Since, string>> = {
  new: 'new since you looked',
  changed: 'changed since you looked',
  same: '',
}

interface Props {
  readonly file: ChangedFile
  /** The other files that are selected with it, in words; empty if there are none. */
  readonly others: string
  readonly isSelected: boolean
  /** Whether it is decided on its own, so that it cannot be selected. */
  readonly isSingle: boolean
  readonly isViewed: boolean
  readonly since: Since
  /** Of all files, Tab stops at one; keys move among them. */
  readonly isTabStop: boolean
  readonly isOpen: boolean
  readonly onFocus: () => void
  readonly onSelect: () => void
  readonly onView: () => void
  readonly onOpen: () => void
  /** What amends it; null where nothing can. */
  readonly tools: ComponentChildren
  /** What is shown while it is open, and near the window. */
  readonly children: ComponentChildren
}

/** Shows a file. */
export function FileSection(props: Props) {
  const { file, others, isSelected, isOpen, isViewed, since, onFocus, onOpen } = props
  const { path } = file
  const tabIndex = props.isTabStop ? 0 : -1
  return (
    <li
      class={isSelected ? 'selected' : ''}
      data-path={path}
      style={keptHeight(file, isOpen)}
      onFocusIn={onFocus}
    >
      <div class="filehead">
        <SelectBox {...props} tabIndex={tabIndex} />
        <button
          type="button"
          class="path"
          aria-expanded={isOpen}
          tabIndex={tabIndex}
          onClick={onOpen}
        >
          <Icon name="arrow" />
          <FilePath file={file} />
        </button>
        <span class="about">
          {since !== 'same' && <Badge tone="info">{NEWS[since]}</Badge>}
          <FileFacts file={file} />
          {others !== '' && <small>{others}</small>}
          {props.tools}
        </span>
        <label class="viewedbox">
          <input
            type="checkbox"
            aria-label={`Viewed ${visible(path)}`}
            checked={isViewed}
            tabIndex={tabIndex}
            onClick={props.onView}
          />
          Viewed
        </label>
      </div>
      {isOpen && <Near>{props.children}</Near>}
    </li>
  )
}

function SelectBox(props: Props & { readonly tabIndex: number }) {
  const { file, isSingle, isSelected, tabIndex, onSelect } = props
  const shownPath = visible(file.path)
  return (
    <input
      type="checkbox"
      class="selectbox"
      aria-label={isSingle ? `${shownPath}, decided on its own` : `Select ${shownPath}`}
      aria-disabled={isSingle}
      title={isSingle ? 'Decided on its own, in the list of changes' : 'Select'}
      checked={isSelected}
      tabIndex={tabIndex}
      onClick={(event) => {
        if (isSingle) event.preventDefault()
        else onSelect()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') props.onOpen()
      }}
    />
  )
}
