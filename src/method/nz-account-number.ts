import { computeWeightedSum, invalidAccountError } from './details.ts';

/**
 * Check algorithm and branch ranges of each bank. Source: Inland Revenue (Resident withholding tax filing
 * specification, "Bank account number validation"), plus the branches in the register of Payments NZ by August 2026.
 */
const banks: Record<string, readonly [check: CheckAlgorithm, ...branches: string[]]> = {
  '01': ['AB', '0001-0999', '1100-1199', '1800-1899', '6150-6150'],
  '02': ['AB', '0001-0999', '1200-1299', '2025-2055'],
  '03': ['AB', '0001-0999', '1300-1399', '1500-1599', '1700-1799', '1900-1999', '5050-5050', '7350-7399'],
  '04': ['AB', '2014-2024'],
  '05': ['AB', '8884-8889'],
  '06': ['AB', '0001-0999', '1400-1499'],
  '08': ['D', '6500-6599'],
  '09': ['E', '0000-0000'],
  '10': ['AB', '5165-5169'],
  '11': ['AB', '5000-6499', '6600-8999'],
  '12': ['AB', '3000-3299', '3400-3499', '3600-3699'],
  '13': ['AB', '4900-4999'],
  '14': ['AB', '4700-4799'],
  '15': ['AB', '3900-3999'],
  '16': ['AB', '4400-4499'],
  '17': ['AB', '3300-3399'],
  '18': ['AB', '3500-3599'],
  '19': ['AB', '4600-4649'],
  '20': ['AB', '4100-4199'],
  '21': ['AB', '4800-4899'],
  '22': ['AB', '4000-4049'],
  '23': ['AB', '3700-3799'],
  '24': ['AB', '4300-4349'],
  '25': ['F', '2500-2599'],
  '26': ['G', '2600-2699'],
  '27': ['AB', '3800-3849'],
  '28': ['G', '2100-2149'],
  '29': ['G', '2150-2299'],
  '30': ['AB', '2900-2949'],
  '31': ['X', '2800-2849'],
  '33': ['F', '6700-6799'],
  '35': ['AB', '2400-2499'],
  '38': ['AB', '9000-9499'],
  '88': ['AB', '8800-8805'],
};

type CheckAlgorithm = 'AB' | 'D' | 'E' | 'F' | 'G' | 'X';

/**
 * Weights of the 18 digits: bank 2, branch 4, account 8, suffix 4. `foldProducts` replaces each product by the sum of
 * its digits, twice.
 */
const weightings = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11, foldProducts: false },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11, foldProducts: false },
  D: { weights: [0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0], modulus: 11, foldProducts: false },
  E: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 0, 1], modulus: 11, foldProducts: true },
  F: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0, 0], modulus: 10, foldProducts: false },
  G: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 0, 3, 7, 1], modulus: 10, foldProducts: true },
};

/** From this account number on, `AB` uses the weights B, which ignore the branch. */
const firstAccountOfCheckB = 990_000;

const separatedPattern = /^(\d{1,2})[-\s](\d{1,4})[-\s](\d{1,7})[-\s](\d{2,3})$/;
const unbrokenPattern = /^(\d{2})(\d{4})(\d{7})(\d{2,3})$/;

/**
 * Reads an account number; returns the form `01-0902-0068389-00`. With hyphens or spaces as separators, bank,
 * branch and account may omit leading zeros. Throws `receiving_account_invalid` with `path`.
 */
export function readNzAccount(text: string, path: string): string {
  const number = text.trim();
  const parts = separatedPattern.exec(number) ?? unbrokenPattern.exec(number);
  if (!parts)
    throw invalidAccountError(
      path,
      'must be an account number in the form 01-0902-0068389-00; the suffix has 2 or 3 digits',
    );
  const bank = (parts[1] ?? '').padStart(2, '0');
  const branch = (parts[2] ?? '').padStart(4, '0');
  const account = (parts[3] ?? '').padStart(7, '0');
  const suffix = parts[4] ?? '';
  const [check, ...branches] = banks[bank] ?? [];
  if (!check) throw invalidAccountError(path, `begins with ${bank}, which is not a New Zealand bank`);
  if (!branches.some((range) => branch >= range.slice(0, 4) && branch <= range.slice(5))) {
    throw invalidAccountError(path, `has branch ${branch}, which does not exist at bank ${bank}`);
  }
  if (!hasValidCheckDigits(check, bank + branch + account.padStart(8, '0') + suffix.padStart(4, '0'))) {
    throw invalidAccountError(path, 'has invalid check digits');
  }
  return `${bank}-${branch}-${account}-${suffix}`;
}

/** Shortens a 3-digit suffix with a leading zero to 2 digits, because banks write `-00` also as `-000`. */
export function foldNzSuffix(account: string): string {
  return account.replace(/^(\d{2}\D?\d{4}\D?\d{7}\D?)0(\d{2})$/, '$1$2');
}

function hasValidCheckDigits(check: CheckAlgorithm, digits: string): boolean {
  if (check === 'X') return true;
  const accountAlgorithm = Number(digits.slice(6, 14)) < firstAccountOfCheckB ? 'A' : 'B';
  const { weights, modulus, foldProducts } = weightings[check === 'AB' ? accountAlgorithm : check];
  const sum = foldProducts
    ? weights.reduce((total, weight, i) => total + sumDigits(sumDigits(weight * Number(digits[i]))), 0)
    : computeWeightedSum(digits, weights);
  return sum % modulus === 0;
}

/** Returns the sum of the digits of a number below 100. */
function sumDigits(number: number): number {
  return Math.floor(number / 10) + (number % 10);
}
