/** Segmented control: a choice between a few options in one row. @module */

/** Shows a choice between a few options. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [T, string])[]
  readonly onChange: (value: T) => void
}) {
  const name = `segments-${label.replaceAll(' ', '-')}`
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </div>
  )
}
