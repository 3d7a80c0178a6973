import type { BankPreset } from './csv-preset.ts';

const dayFirst = { dateOrder: 'dmy', decimalMark: '.' } as const;
const yearFirst = { dateOrder: 'ymd', decimalMark: '.' } as const;

/** Banks of South-East Asia, India and New Zealand. */
export const southernPresets: BankPreset[] = [
  {
    bank: 'OCBC',
    header:
      'Transaction date = date | Value date = valueDate | Description = references | Withdrawals (SGD) = debit | Deposits (SGD) = credit',
    rules: dayFirst,
  },
  {
    bank: 'OCBC cards',
    header:
      'Transaction date = date | Description = references | Withdrawals (SGD) = debit | Deposits (SGD) = credit',
    rules: dayFirst,
  },
  {
    bank: 'UOB',
    header:
      'Transaction Date = date | Transaction Description = references | Withdrawal = debit | Deposit = credit | Available Balance',
    rules: dayFirst,
  },
  {
    bank: 'Standard Chartered Singapore',
    header: `Date = date | Transaction = references | Currency = currency | Deposit = credit | Withdrawal = debit
      | Running Balance | SGD Equivalent Balance`,
    rules: dayFirst,
  },
  {
    bank: 'BCA',
    header: 'Tanggal Transaksi = date | Keterangan = references | Cabang | Jumlah = amount',
    rules: dayFirst,
  },
  {
    bank: 'BCA',
    header: 'Date = date | Description = references | Branch | Amount = amount | = direction | Balance',
    rules: dayFirst,
  },
  {
    bank: 'Bank Mandiri',
    header: `Account No = account | Date = date | Val. Date = valueDate | Transaction Code | Description = references
      | Description = references | Reference No. = bankReference | Debit = debit | Credit = credit`,
    rules: dayFirst,
  },
  {
    bank: 'ASB',
    header:
      'Date = date | Unique Id = bankReference | Tran Type | Cheque Number | Payee = payerName | Memo = references | Amount = amount',
    rules: yearFirst,
  },
  {
    bank: 'Kiwibank',
    header: `Account number = account | Effective Date = valueDate | Transaction Date = date | Description = references
      | Transaction Code | Particulars = references | Code = references | Reference = references
      | Other Party Name = payerName | Other Party Account Number = payerAccount | Other Party Particulars = references
      | Other Party Code = references | Other Party Reference = references | Amount = amount | Balance`,
    rules: yearFirst,
  },
  {
    bank: 'ANZ New Zealand',
    header: `Type | Details = references | Particulars = references | Code = references | Reference = references
      | Amount = amount | Date = date | ForeignCurrencyAmount | ConversionCharge`,
    rules: dayFirst,
  },
  {
    bank: 'Westpac New Zealand',
    header: `Date = date | Amount = amount | Other Party = payerName | Description = references | Reference = references
      | Particulars = references | Analysis Code = references`,
    rules: dayFirst,
  },
  {
    bank: 'HDFC Bank',
    header: `Date = date | Narration = references | Chq./Ref.No. = bankReference | Value Dt = valueDate
      | Withdrawal Amt. = debit | Deposit Amt. = credit | Closing Balance`,
    rules: dayFirst,
  },
  {
    bank: 'HDFC Bank',
    header: `Date = date | Narration = references | Value Dat = valueDate | Debit Amount = debit | Credit Amount = credit
      | Chq/Ref Number = bankReference | Closing Balance`,
    rules: dayFirst,
  },
  {
    bank: 'ICICI Bank',
    header: `… | Transaction Date = date | … | Transaction Remarks = references | Withdrawal Amount (INR) = debit
      | Deposit Amount (INR) = credit | …`,
    rules: dayFirst,
  },
  {
    bank: 'Axis Bank',
    header:
      'Tran Date = date | Chq No | Particulars = references | Debit = debit | Credit = credit | Balance | Init. br',
    rules: dayFirst,
  },
  {
    bank: 'Kotak Mahindra Bank',
    header: `Sl.No. | Date = date | Description = references | Chq / Ref number = bankReference | Amount = amount
      | Dr / Cr = direction | Balance | Dr / Cr`,
    rules: dayFirst,
  },
  {
    bank: 'Bank of Baroda',
    header: `Serial No | Transaction Date = date | Value Date = valueDate | Description = references | Cheque Number
      | Debit = debit | Credit = credit | Balance`,
    rules: dayFirst,
  },
  {
    bank: 'IDBI Bank',
    header:
      'Date = date | Particulars = references | Chq. no | Withdrawals = debit | Deposits = credit | Balance',
    rules: dayFirst,
  },
  {
    bank: 'DBS and POSB',
    header: `Transaction Date = date | Transaction Code | Description = references | Transaction Ref1 = references
      | Transaction Ref2 = references | Transaction Ref3 = references | Status = status | Debit Amount = debit
      | Credit Amount = credit`,
    rules: { ...dayFirst, bookedValues: ['settled'] },
  },
  {
    bank: 'DBS cards',
    header: `Transaction Date = date | Transaction Posting Date | Transaction Description = references | Transaction Type
      | Payment Type | Transaction Status = status | Debit Amount = debit | Credit Amount = credit`,
    rules: { ...dayFirst, bookedValues: ['settled'] },
  },
  {
    bank: 'TPBank',
    header: `Ngày thực hiện = date | Ngày hiệu lực = valueDate | Mô tả giao dịch = references | Ghi nợ = debit
      | Ghi có = credit | Số dư | Tài khoản đối ứng = payerAccount | Tên tài khoản = payerName
      | Mã giao dịch = bankReference`,
    rules: dayFirst,
  },
  {
    bank: 'BDO',
    header: `Posting Date = date | … | Description = references | … | Branch | … | Debit Amount = debit | …
      | Credit Amount = credit | … | Running Balance | … | Currency = currency | … | Check Number | …`,
    rules: { dateOrder: 'mdy', decimalMark: '.' },
  },
  {
    bank: 'BDO',
    header: `… | Book date = date | … | Description = references | … | Amount = amount | …
      | Credit/debit indicator = direction | …`,
    rules: dayFirst,
  },
  {
    bank: 'BRI',
    header: `ID | NOREK = account | TGL_TRAN = date | TGL_EFEKTIF = valueDate | JAM_TRAN = time | SEQ | DESK_TRAN = references
      | SALDO_AWAL_MUTASI | MUTASI_DEBIT = debit | MUTASI_KREDIT = credit | …`,
    rules: yearFirst,
  },
  {
    bank: 'Bank Jatim',
    header: `Post Date = date | Effective Date = valueDate | Account = payerAccount | Name = payerName
      | Description = references | Currency = currency | Debit = debit | Credit = credit | Balance
      | Reference No = bankReference`,
    rules: dayFirst,
  },
  {
    bank: 'Bank Mandiri',
    header: `Tgl. = date | Tgl. Val. = valueDate | Rincian Transaksi = references | No. Referensi = bankReference
      | Debit = debit | Kredit = credit | Saldo | Branch Code`,
    rules: dayFirst,
  },
  {
    bank: 'ANZ New Zealand cards',
    header: `Card | Type = direction | Amount = amount | Details = references | TransactionDate = date | ProcessedDate
      | ForeignCurrencyAmount | ConversionCharge`,
    rules: dayFirst,
  },
];
