import { expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'

const server = useServer()
const browser = useBrowser()

it('opens the console, which nobody may frame', async () => {
  const answer = await fetch(server.url)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const page = await browser.open(server.url)
  expect(await page.title()).toBe('Edgewise')
  await page.context().close()
})
