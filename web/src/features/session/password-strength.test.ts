import { expect, test } from '@jest/globals'
import { passwordStrength } from './password-strength.ts'

test.each([
  ['', 25, 'Too short'],
  ['aB3$xyz', 25, 'Too short'],
  ['abcdefgh', 25, 'Weak'],
  ['abcdefg1', 40, 'Fair'],
  ['abcdefghijkl', 50, 'Fair'],
  ['abcdefghijk1', 65, 'Fair'],
  ['Abcdefg1!', 75, 'Good'],
  ['Abcdefghijkl', 75, 'Good'],
  ['Abcdefghijk1', 90, 'Strong'],
  ['Abcdefghij1!', 100, 'Strong'],
])('%j scores %d and is called %s', (password, score, word) => {
  expect(passwordStrength(password)).toMatchObject({ score, word })
})

test('the change that would make a password stronger is named', () => {
  expect(passwordStrength('abcdefgh').missing).toEqual([
    '12 characters or more',
    'lower and upper case',
    'a digit',
    'a symbol',
  ])
  expect(passwordStrength('Abcdefghij1!').missing).toEqual([])
})

test('asks for the next length only of a password that is too short', () => {
  expect(passwordStrength('Abcde1!').missing).toEqual(['at least 8 characters'])
})
