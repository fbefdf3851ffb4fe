package model

import (
	"fmt"
	"strings"
)

// draft gives the empty form of a document, with what the person asked for quoted above it: to put their words into clauses is
// no program's business.
func draft(values map[string]any) string {
	kind, details := "", ""
	given, _ := values["inputs"].([]map[string]string)
	for _, in := range given {
		switch in["id"] {
		case "type":
			kind = in["text"]
		case "details":
			details = in["text"]
		}
	}
	form, known := forms[kind]
	if !known {
		form = fmt.Sprintf("# %s\n\n[… the document]\n", strings.ToUpper(plain(kind)))
	}
	var b strings.Builder
	b.WriteString("> **No language model wrote this.** None is configured, so this is the empty form of the document, with a […] for each thing to be filled in. " +
		"Take this note out when it is done.\n>\n> What was asked for:\n>\n")
	for line := range strings.Lines(strings.TrimSpace(details)) {
		b.WriteString("> " + escape(strings.TrimSpace(line)) + "\n")
	}
	return b.String() + "\n" + form
}

// forms are what documents have in practice, by the names that the plugin drafting gives them.
var forms = map[string]string{
	"Legal Notice": `# LEGAL NOTICE

**By Registered Post A.D. / Speed Post and by e-mail**

Ref. No.: […]

Date: […]

To

[… name of the addressee]

[… address of the addressee]

**Subject: Legal notice for [… what is demanded].**

Sir/Madam,

Under the instructions of and on behalf of my client, [… name and address of the sender], I serve upon you this notice:

1. That my client is [… who the sender is, and in what relation to the addressee].
2. That on [… date], [… what was agreed or what happened, with the document that shows it].
3. That [… the further facts in the order of time, each with its date].
4. That you have failed to [… the breach or default], although [… what was asked for, and when].
5. That the following is due from you:

| Particulars | Amount |
| --- | ---: |
| [… principal] | […] |
| [… interest, at the rate and for the time agreed] | […] |
| **Total** | […] |

6. You are therefore called upon to [… pay or do] **within [… number] days of the receipt of this notice**.
7. If you fail to do so, my client will take [… the proceedings intended] against you before the competent court or authority, at your risk as to costs and consequences.
8. My client reserves all rights and remedies. A copy of this notice is kept for record.

[… signature]

[… name of counsel, enrolment number and address]

Enclosures: […]
`,
	"Agreement": `# AGREEMENT

This Agreement is made at [… place] on this [… day] day of [… month and year]

**BETWEEN**

[… name, description and address of the first party] (the "First Party", which expression shall, unless repugnant to the context, include its successors and permitted assigns);

**AND**

[… name, description and address of the second party] (the "Second Party", which expression shall, unless repugnant to the context, include its successors and permitted assigns).

## Recitals

(A) The First Party is [… what it does or owns].

(B) The Second Party [… what it wants].

(C) The Parties have agreed on the following terms.

## 1. Definitions

1.1. "[… term]" means [… meaning].

## 2. Subject of the Agreement

2.1. The First Party shall [… obligation].

2.2. The Second Party shall [… obligation].

## 3. Consideration and payment

3.1. The Second Party shall pay ₹[… amount], with goods and services tax as applicable, by [… time and manner of payment], subject to tax deducted at source as the law requires.

## 4. Term and termination

4.1. This Agreement is in force from [… date] to [… date].

4.2. Either Party may terminate it by [… period] notice in writing; for a breach that is not cured within [… days] of notice, at once.

## 5. Confidentiality

5.1. Each Party shall keep in confidence what it learns of the other's affairs, save what the law requires to be disclosed.

## 6. Indemnity and liability

6.1. Each Party shall indemnify the other against loss from its own breach of this Agreement, up to [… limit].

## 7. Force majeure

7.1. Neither Party is liable for delay by an event beyond its reasonable control, of which it gives notice within [… days].

## 8. Notices

8.1. Notices are in writing, to [… address and e-mail of each party].

## 9. General

9.1. This is the entire agreement. It is amended in writing only, and assigned with written consent only. An invalid clause leaves the others in force.

## 10. Governing law and disputes

10.1. This Agreement is governed by the laws of India.

10.2. Disputes that are not settled within [… days] are referred to arbitration by [… number] arbitrator under the Arbitration and Conciliation Act, 1996, with its seat at [… place]. Subject to that the courts at [… place] have jurisdiction.

## 11. Stamp duty

11.1. Stamp duty of ₹[… amount], as the law of the State of execution provides, is borne by [… party].

## Signatures

| First Party | Second Party |
| --- | --- |
| [… signature, name and capacity] | [… signature, name and capacity] |

Witnesses:

1. [… name, address and signature]
2. [… name, address and signature]
`,
	"Affidavit": `# AFFIDAVIT

(On stamp paper of ₹[… amount])

I, [… name], son/daughter/wife of [… name], aged [… age] years, by occupation [… occupation], residing at [… address], do hereby solemnly affirm and state on oath as under:

1. That I am the deponent, and know the facts stated here because [… capacity or reason].
2. That [… fact, of own knowledge].
3. That [… fact, as the records show].
4. That the copies annexed are true copies of their originals.
5. That nothing material has been concealed.

[… signature]

**DEPONENT**

## Verification

Verified at [… place] on this [… day] day of [… month and year] that the contents of paragraphs [… numbers] are true to my knowledge and those of paragraphs [… numbers] are based on records and believed to be true, that no part of it is false and that nothing material has been concealed.

[… signature]

**DEPONENT**

Identified by: […]

Solemnly affirmed before me on [… date] at [… place].

[… Notary Public / Oath Commissioner, with seal]
`,
	"Legal Reply": `# REPLY TO NOTICE

**By Registered Post A.D. / Speed Post and by e-mail**

Date: […]

To

[… name and address of the sender of the notice, or of the authority]

**Subject: Reply to your notice [… number] dated [… date].**

Sir/Madam,

Under the instructions of and on behalf of [… name and address], in reply to the notice named above:

## A. Preliminary submissions

1. Every statement in the notice is denied, unless it is expressly admitted below.
2. [… objection as to limitation, jurisdiction or maintainability, if there is one]

## B. The facts

3. That [… the facts in the order of time, each with its date and document].

## C. Reply to each paragraph

4. Paragraph [… number]: [… what it states] is [… admitted / denied / a matter of record], since [… reason].

## D. The demand

5. Nothing is due as demanded, since [… reason].

6. You are called upon to withdraw the notice. All rights are reserved.

[… signature]

[… name and capacity of the signatory]

Enclosures: […]
`,
	"Petition": `# IN THE [… court or authority, and place]

[… kind of petition] No. […] of […]

**IN THE MATTER OF:** [… the provision under which it is filed]

**AND IN THE MATTER OF:**

[… name, description and address] … Petitioner

**Versus**

[… name, description and address] … Respondent

**[… TITLE OF THE PETITION AND ITS PROVISION]**

MOST RESPECTFULLY SHOWETH:

## Facts

1. That the Petitioner is [… description].
2. That the Respondent is [… description].
3. That on [… date] [… the facts in the order of time, each with its annexure].
4. That by [… order or act] dated [… date] [… what is complained of].

## Grounds

A. BECAUSE [… ground].

B. BECAUSE [… ground].

## Jurisdiction and limitation

5. That this Hon'ble [… court] has jurisdiction, since [… reason].
6. That the petition is within time, since [… reason].
7. That no other petition on the same cause is pending or has been decided: [… to be confirmed by the Petitioner].

## Prayer

It is therefore most respectfully prayed that this Hon'ble [… court] be pleased to:

(a) [… relief];

(b) [… interim relief]; and

(c) grant any other relief that it deems fit.

Place: […]

Date: […]

[… signature of the Petitioner]

[… counsel for the Petitioner]

## Verification

Verified at [… place] on [… date] that the contents of paragraphs [… numbers] are true to my knowledge, those of paragraphs [… numbers] are believed to be true on advice, and that nothing material has been concealed.

[… signature of the Petitioner]

## List of documents

| Annexure | Document | Date |
| --- | --- | --- |
| P-1 | […] | […] |
`,
}
