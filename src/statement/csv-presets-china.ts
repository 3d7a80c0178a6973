import type { BankPreset } from './csv-preset.ts';

const dayFirst = { dateOrder: 'dmy', decimalMark: '.' } as const;
const yearFirst = { dateOrder: 'ymd', decimalMark: '.' } as const;

/** Banks and wallets of Hong Kong and mainland China. */
export const chinesePresets: BankPreset[] = [
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
    bank: 'China Guangfa Bank cards',
    header: `交易日期 = date | 入账日期 | 交易摘要 = references | 交易金额 | 交易货币 | 入账金额 = amount
      | 入账货币 = currency`,
    rules: { ...yearFirst, isCreditNegative: true },
  },
];
