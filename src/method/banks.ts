import type { MethodCountry } from './catalog.ts';

/**
 * Names of banks and wallets by the code with which receiving accounts identify them: clearing code (HK, ID,
 * KR), NAPAS number (VN), first eight characters of the BIC (PH), first four letters of the IFSC (IN). Each name is
 * written as the apps of its country list it. Codes that are missing here show the name that the merchant entered.
 * Decision 53 names the lists with which each country was compared.
 */
export const bankLists = {
  HK: `003 Standard Chartered 渣打
004 HSBC 滙豐
006 Citibank 花旗
009 CCB (Asia) 建行（亞洲）
012 Bank of China (HK) 中銀香港
015 BEA 東亞
016 DBS 星展
018 China CITIC 中信銀行（國際）
020 CMB Wing Lung 招商永隆
024 Hang Seng 恒生
025 Shanghai Commercial 上商
027 BOCOM 交通銀行
028 Public Bank 大眾銀行
035 OCBC 華僑銀行
039 Chiyu 集友
040 Dah Sing 大新
041 Chong Hing 創興
043 NCB 南洋商業
061 Tai Sang 大生
072 ICBC (Asia) 工銀亞洲
128 Fubon 富邦
250 Citibank 花旗
382 BOCOM 交通銀行
387 ZA Bank 眾安
388 livi 理慧
389 Mox
390 WeLab Bank 滙立
391 Fusion Bank 富融
392 PAO Bank 平安數字
393 Ant Bank 螞蟻銀行
395 Airstar 天星`,
  ID: `002 BRI
008 Mandiri
009 BNI
011 Danamon
013 Permata
014 BCA
016 Maybank Indonesia
019 Panin
022 CIMB Niaga
023 UOB Indonesia
028 OCBC
031 Citibank
037 Bank Artha Graha
041 HSBC Indonesia
046 DBS Indonesia
050 Standard Chartered
054 Bank Capital
076 Bank Bumi Arta
087 HSBC Indonesia
095 J Trust Bank
097 Mayapada
110 bank bjb
111 Bank Jakarta
112 BPD DIY
113 Bank Jateng
114 Bank Jatim
115 Bank Jambi
116 Bank Aceh Syariah
117 Bank Sumut
118 Bank Nagari
119 BRK Syariah
120 Bank Sumsel Babel
121 Bank Lampung
122 Bank Kalsel
123 Bank Kalbar
124 Bankaltimtara
125 Bank Kalteng
126 Bank Sulselbar
127 Bank SulutGo
128 Bank NTB Syariah
129 BPD Bali
130 Bank NTT
131 Bank Maluku Malut
132 Bank Papua
133 Bank Bengkulu
134 Bank Sulteng
135 Bank Sultra
137 Bank Banten
147 Muamalat
152 Shinhan Indonesia
153 Sinarmas
157 Bank Maspion
161 Bank Ganesha
164 ICBC Indonesia
167 QNB Indonesia
200 BTN
213 SMBC Indonesia (Jenius)
425 bjb Syariah
426 Mega
441 KB Bank
451 BSI
484 KEB Hana
485 MNC Bank
490 Neo Commerce
494 Bank Raya
501 BCA Digital (blu)
503 Nobu
506 Mega Syariah
513 Bank INA
517 Panin Dubai Syariah
523 Bank Sampoerna
526 OK Bank
531 Amar Bank
535 SeaBank
536 BCA Syariah
542 Bank Jago
547 BTPN Syariah
564 Mandiri Taspen
566 Bank Victoria
567 Allo Bank
947 Bank Aladin Syariah`,
  KR: `002 KDB산업은행
003 IBK기업은행
004 KB국민은행
007 수협은행
011 NH농협은행
012 지역농·축협
020 우리은행
023 SC제일은행
027 한국씨티은행
031 iM뱅크(대구)
032 부산은행
034 광주은행
035 제주은행
037 전북은행
039 경남은행
045 새마을금고
048 신협
050 저축은행
064 산림조합
071 우체국
081 하나은행
088 신한은행
089 케이뱅크
090 카카오뱅크
092 토스뱅크`,
  VN: `422589 CIMB
458761 HSBC
546034 CAKE by VPBank
546035 Ubank by VPBank
668888 KASIKORNBANK
796500 DBS
801011 NongHyup
963369 Liobank
963388 Timo
970400 SaigonBank
970403 Sacombank
970405 Agribank
970406 Vikki Bank
970407 Techcombank
970408 GPBank
970409 Bac A Bank
970410 Standard Chartered
970412 PVcomBank
970414 MBV
970415 VietinBank
970416 ACB
970418 BIDV
970419 NCB
970421 VRB
970422 MB
970423 TPBank
970424 Shinhan Bank
970425 ABBANK
970426 MSB
970427 VietABank
970428 Nam A Bank
970429 SCB
970430 PGBank
970431 Eximbank
970432 VPBank
970433 VietBank
970434 Indovina Bank
970436 Vietcombank
970437 HDBank
970438 BAOVIET Bank
970439 Public Bank
970440 SeABank
970441 VIB
970442 Hong Leong Bank
970443 SHB
970444 CB Bank
970446 Co-opBank
970448 OCB
970449 LPBank
970452 KienlongBank
970454 BVBank
970455 IBK Hà Nội
970456 IBK TP. HCM
970457 Woori Bank
970458 UOB
970462 Kookmin Hà Nội
970463 Kookmin TP. HCM
971025 MoMo`,
  PH: `AUBKPHMM AUB
BNORPHMM BDO
BOPIPHMM BPI
CHBKPHMM China Bank
DBPHPHMM DBP
EWBCPHMM EastWest
GXCHPHM2 GCash
MBTCPHMM Metrobank
PAPHPHM1 Maya
PNBMPHMM PNB
RCBCPHMM RCBC
SETCPHMM Security Bank
TLBPPHMM LANDBANK
UBPHPHMM UnionBank`,
  IN: `AIRP Airtel Payments Bank
AUBL AU Small Finance Bank
BARB Bank of Baroda
BDBL Bandhan Bank
BKID Bank of India
CBIN Central Bank of India
CITI Citibank
CIUB City Union Bank
CLBL Capital Small Finance Bank
CNRB Canara Bank
COSB Cosmos Co-operative Bank
CSBK CSB Bank
DBSS DBS Bank
DCBL DCB Bank
DEUT Deutsche Bank
DLXB Dhanlaxmi Bank
ESFB Equitas Small Finance Bank
ESMF ESAF Small Finance Bank
FDRL Federal Bank
FINO Fino Payments Bank
HDFC HDFC Bank
HSBC HSBC
IBKL IDBI Bank
ICIC ICICI Bank
IDFB IDFC FIRST Bank
IDIB Indian Bank
INDB IndusInd Bank
IOBA Indian Overseas Bank
IPOS India Post Payments Bank
JAKA Jammu and Kashmir Bank
JIOP Jio Payments Bank
JSFB Jana Small Finance Bank
KARB Karnataka Bank
KKBK Kotak Mahindra Bank
KVBL Karur Vysya Bank
MAHB Bank of Maharashtra
NSPB NSDL Payments Bank
PSIB Punjab & Sind Bank
PUNB Punjab National Bank
PYTM Paytm Payments Bank
RATN RBL Bank
SBIN State Bank of India
SCBL Standard Chartered Bank
SIBL South Indian Bank
SURY Suryoday Small Finance Bank
SVCB SVC Co-operative Bank
TMBL Tamilnad Mercantile Bank
UBIN Union Bank of India
UCBA UCO Bank
UJVN Ujjivan Small Finance Bank
UTIB Axis Bank
UTKS Utkarsh Small Finance Bank
YESB YES BANK`,
} as const satisfies Partial<Record<MethodCountry, string>>;

export type Bank = { code: string; name: string };

export function listBanks(country: MethodCountry): Bank[] {
  const lines = country in bankLists ? bankLists[country as keyof typeof bankLists].split('\n') : [];
  return lines.map((line) => {
    const [code = '', ...name] = line.split(' ');
    return { code, name: name.join(' ') };
  });
}

const bankNames = new Map<string, string>(
  (Object.keys(bankLists) as (keyof typeof bankLists)[]).flatMap((country) =>
    listBanks(country).map(({ code, name }) => [`${country} ${code}`, name] as const),
  ),
);

export function getBankName(country: MethodCountry, code: string): string | undefined {
  return bankNames.get(`${country} ${code}`);
}
