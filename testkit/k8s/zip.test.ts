import { expect, test } from '@jest/globals'
import { readFromZip } from './zip.ts'

// Two files, the second one packed, and a comment after the table of contents.
const archive = Buffer.from(
  'UEsDBBQAAAAAAAAAIQCzJE6WCAAAAAgAAAAOAAAAcGxhaW4vbm90ZS50eHRhcyBpdCBpc1BLAwQUAAAACAAAACEAH6h0lQ8AAADIAAAADwAAAHBhY2tlZC9ub3RlLnR4dEtMT8zMU0jMS1FIHNIsAFBLAQIUAxQAAAAAAAAAIQCzJE6WCAAAAAgAAAAOAAAAAAAAAAAAAACAAQAAAABwbGFpbi9ub3RlLnR4dFBLAQIUAxQAAAAIAAAAIQAfqHSVDwAAAMgAAAAPAAAAAAAAAAAAAACAATQAAABwYWNrZWQvbm90ZS50eHRQSwUGAAAAAAIAAgB5AAAAcAAAAAgAYSByZW1hcms=',
  'base64',
)

test('a file is read as it was, packed or not', () => {
  expect(readFromZip(archive, 'plain/note.txt')?.toString()).toBe('as it is')
  expect(readFromZip(archive, 'packed/note.txt')?.toString()).toBe('again and '.repeat(20))
})

test('a file that is not there is not found', () => {
  expect(readFromZip(archive, 'note.txt')).toBeUndefined()
})

test('a file that is no archive is refused', () => {
  expect(() => readFromZip(Buffer.from('x'.repeat(100)), 'note.txt')).toThrow('no zip archive')
})
