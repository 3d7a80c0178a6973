import type { CsvMapping } from './csv-mapping.ts';

/** What the bank's format says in addition to its header. Dates and amounts that are clear take precedence. */
export type PresetRules = Pick<CsvMapping, 'dateOrder' | 'decimalMark'> &
  Partial<Pick<CsvMapping, 'bookedValues'>>;

/**
 * The export of a bank. `header` lists its headings between `|`; a role follows a heading after `=`. Only headings that
 * were seen in a public source are listed; see `test/fixtures/statements/presets/README.md`.
 */
export type BankPreset = { bank: string; header: string; rules: PresetRules };

const dayFirst = { dateOrder: 'dmy', decimalMark: '.' } as const;
const yearFirst = { dateOrder: 'ymd', decimalMark: '.' } as const;

export const bankPresets: BankPreset[] = [
  {
    bank: 'HSBC Hong Kong',
    header:
      'Date = date | Description = references | Billing amount = amount | Billing currency = currency | Balance | Balance currency',
    rules: dayFirst,
  },
  {
    bank: 'HSBC Hong Kong cards',
    header: `Transaction date = date | Post date | Description = references | Billing amount = amount
      | Billing currency = currency | Transaction status = status | Merchant name = payerName | Country / region
      | Area / district | Credit / Debit = direction`,
    rules: { ...dayFirst, bookedValues: ['posted'] },
  },
  {
    bank: 'Agricultural Bank of China',
    header: `交易日期 = date | 交易时间 = time | 交易摘要 = references | 交易金额 = amount | 本次余额 | 对手信息 = payerName
      | 日 志 号 | 交易渠道 | 交易附言 = references`,
    rules: yearFirst,
  },
  {
    bank: 'Bank of China',
    header: `记账日期 = date | 记账时间 = time | 币别 = currency | 金额 = amount | 余额 | 交易名称 = references | 渠道
      | 网点名称 | 附言 = references | 对方账户名 = payerName | 对方卡号/账号 = payerAccount | 对方开户行 | 借记卡号`,
    rules: yearFirst,
  },
  {
    bank: 'Bank of China cards',
    header:
      '交易日 = date | 银行记账日 | 卡号后四位 | 交易描述 = references | 存入 = credit | 支出 = debit | 币种 = currency',
    rules: yearFirst,
  },
  {
    bank: 'Bank of Communications',
    header: `序号 | 交易日期 = date | 交易时间 = time | 交易类型 = references | 借贷 = direction | 交易金额 = amount | 余额
      | 对方账号 = payerAccount | 对方户名 = payerName | 交易地点 | 摘要 = references`,
    rules: yearFirst,
  },
  {
    bank: 'China Merchants Bank',
    header: `记账日期 = date | 货币 = currency | 交易金额 = amount | 联机余额 | 交易摘要 = references | 对手信息 = payerName
      | 客户摘要 = references`,
    rules: yearFirst,
  },
  {
    bank: 'ICBC',
    header: `交易日期 = date | 摘要 = references | 交易场所 = references | 交易国家或地区简称 | 钞/汇 | 交易金额(收入)
      | 交易金额(支出) | 交易币种 | 记账金额(收入) = credit | 记账金额(支出) = debit | 记账币种 = currency | 余额
      | 对方户名 = payerName`,
    rules: yearFirst,
  },
  {
    bank: 'ICBC',
    header: `交易日期 = date | 摘要 = references | 交易详情 = references | 交易场所 = references | 交易国家或地区简称 | 钞/汇
      | 交易金额(收入) | 交易金额(支出) | 交易币种 | 记账金额(收入) = credit | 记账金额(支出) = debit | 记账币种 = currency
      | 余额 | 对方户名 = payerName | 对方账户 = payerAccount`,
    rules: yearFirst,
  },
  {
    bank: 'ICBC cards',
    header: `交易日期 = date | 记账日期 | 摘要 = references | 交易场所 = references | 交易国家或地区简称 | 交易金额(收入)
      | 交易金额(支出) | 交易币种 | 记账金额(收入) = credit | 记账金额(支出) = debit | 记账币种 = currency | 余额
      | 对方户名 = payerName`,
    rules: yearFirst,
  },
  {
    bank: 'WeChat Pay',
    header: `交易时间 = date | 交易类型 = references | 交易对方 = payerName | 商品 = references | 收/支 = direction
      | 金额(元) = amount | 支付方式 | 当前状态 | 交易单号 = bankReference | 商户单号 | 备注 = references`,
    rules: yearFirst,
  },
  {
    bank: 'Alipay',
    header: `交易时间 = date | 交易分类 | 交易对方 = payerName | 对方账号 = payerAccount | 商品说明 = references
      | 收/支 = direction | 金额 = amount | 收/付款方式 | 交易状态 | 交易订单号 = bankReference | 商家订单号
      | 备注 = references`,
    rules: yearFirst,
  },
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
    header: `Account No | Date = date | Val. Date = valueDate | Transaction Code | Description = references
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
    header: `Account number | Effective Date = valueDate | Transaction Date = date | Description = references
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
];
