import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ENTITY_TYPE_NAMES,
  ENTITY_TYPES,
  isPanOf,
} from '../../../graphql-api/partner/entity-types.ts';
import {
  isBankAccountNumber,
  isGstin,
  isIfsc,
  isPan,
  panInside,
} from '../../../graphql-api/partner/indian-ids.ts';
import { maskedBankAccount, maskedPan } from '../../../graphql-api/partner/kyc.mask.ts';
import { gstinOf, randomPan } from '../harness/partner.ts';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe('PAN', () => {
  test.for([
    ['AAAPA1234A', true],
    ['AAACA1234A', true],
    ['AAAXA1234A', false],
    ['AAAP1234AA', false],
    ['AAAPA12345', false],
    ['AAAPA1234', false],
    ['aaapa1234a', false],
    [' AAAPA1234A', false],
  ] as const)('%s: %s', ([pan, isValid]) => {
    expect(isPan(pan)).toBe(isValid);
  });

  test('contains the type of taxpayer, and every entity type has one', () => {
    for (const name of ENTITY_TYPE_NAMES) {
      const { panLetters } = ENTITY_TYPES[name];
      for (const letter of 'ABCFGHJLPT')
        expect(isPanOf(name, randomPan(letter)), `${name} ${letter}`).toBe(
          panLetters.includes(letter as never),
        );
    }
  });

  test('masked shows two characters at each end', () => {
    expect(maskedPan('ABCPD1234E')).toBe('AB******4E');
  });
});

describe('GSTIN', () => {
  test.for(['27AAPFU0939F1ZV', '29AAGCR4375J1ZU'])('%s is valid', gstin => {
    expect(isGstin(gstin)).toBe(true);
    expect(isPan(panInside(gstin))).toBe(true);
  });

  test('with any one character changed is invalid', () => {
    const changed = fc.record({
      place: fc.integer({ min: 0, max: 14 }),
      character: fc.constantFrom(...CHARACTERS.split('')),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...'ABCFGHJLPT'.split('')),
        changed,
        (kind, { place, character }) => {
          const gstin = gstinOf(randomPan(kind));
          expect(isGstin(gstin)).toBe(true);
          if (gstin[place] === character) return;
          expect(isGstin(gstin.slice(0, place) + character + gstin.slice(place + 1))).toBe(false);
        },
      ),
    );
  });
});

test.for([
  ['HDFC0001234', true],
  ['SBIN0ABCDEF', true],
  ['HDFC1001234', false],
  ['HDF00001234', false],
  ['HDFC000123', false],
  ['HDFC00012345', false],
] as const)('IFSC %s: %s', ([ifsc, isValid]) => {
  expect(isIfsc(ifsc)).toBe(isValid);
});

test.for([
  ['12345678', false],
  ['123456789', true],
  ['123456789012345678', true],
  ['1234567890123456789', false],
  ['12345678X', false],
] as const)('bank account %s: %s', ([number, isValid]) => {
  expect(isBankAccountNumber(number)).toBe(isValid);
});

test('a masked bank account shows its last four digits', () => {
  expect(maskedBankAccount('000123456789')).toBe('********6789');
});
