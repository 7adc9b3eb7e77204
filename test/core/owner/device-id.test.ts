import { deviceId } from '#core/owner/device-id.ts'
import { expect, it } from 'vitest'

it('is the beginning of the hash of the endpoint, in hexadecimal', async () => {
  expect(await deviceId('https://push.example/send/abc')).toBe('7043c920dcbf8e8f4168e8500e97b64e')
})

it('differs for another endpoint', async () => {
  expect(await deviceId('https://push.example/send/abd')).toMatch(/^(?!7043c920)[\da-f]{32}$/)
})
