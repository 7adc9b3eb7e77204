/**
 * The files of a new skill: a `SKILL.md` that names what its author has to write.
 *
 * `npm run new-skill` writes it. Like every skill, a new one is served only after the owner has approved it.
 * `test/e2e/new-skill.test.ts` has the server read it.
 *
 * @module
 */

import { SKILL_FILE, SKILLS_FOLDER } from './uri.ts'

/** Returns the path of the `SKILL.md` of a skill, whose name is checked. */
export const skillFilePath = (name: string): string => `${SKILLS_FOLDER}/${name}/${SKILL_FILE}`

/** Returns the `SKILL.md` of a new skill. `description` is one line; without it, the text says what belongs there. */
export function starterText(name: string, description: string | undefined): string {
  const words = name.replaceAll('-', ' ')
  const title = words.slice(0, 1).toUpperCase() + words.slice(1)
  // JSON is YAML, so no character of a text can end it.
  const text = JSON.stringify(description ?? `What ${words} does, and when an agent should use it.`)
  return `---
name: ${name}
description: ${text}
---

# ${title}

1. The first step. Name tools and files by their paths.
2. The next step. Details belong in files beside this one, such as \`references/guide.md\`.

## Done when

- What the agent checks before it says that it is done.
`
}
