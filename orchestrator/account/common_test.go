package account

import (
	"errors"
	"testing"

	"munshi/orchestrator/problem"
)

// Passwords that attackers try first are refused; a phrase, or a generated password, is not.
func TestCommonPasswordsAreRefused(t *testing.T) {
	a := &Accounts{name: "Munshi"}
	code := func(err error) string {
		var p *problem.Error
		errors.As(err, &p)
		return p.Code
	}
	for _, password := range []string{"password", "Password1", "P@ssw0rd", "passw0rd!", "12345678", "123456789", "1234567890", "87654321", "11111111", "00000000",
		"qwertyuiop", "qwerty123", "1qaz2wsx", "1q2w3e4r", "q1w2e3r4t5", "asdfghjkl", "zxcvbnm123", "abcd1234", "abc12345", "a1b2c3d4", "iloveyou", "iloveyou2",
		"sunshine", "princess", "football", "baseball", "superman", "trustno1", "letmein1", "welcome1", "Welcome@123", "admin123", "admin@123", "starwars",
		"whatever", "computer", "michelle", "jennifer", "charlie1", "India@123", "india123", "krishna123", "jaishriram", "omsairam", "jaimatadi", "ganesh123",
		"Sachin10!", "mumbai2024", "munshi123", "Munshi@2026", "asha1990", "asha@123", "abcabcabc", "aaaaaaaa1", "19900815", "9876543210", "qwerty!@#", "passpass",
		"loveindia", "ｐａｓｓｗｏｒｄ", "asha@example.com", "Asha@Example.com1"} {
		if err := a.choosable(password, "asha@example.com"); err == nil || code(err) != "common_password" {
			t.Errorf("%s is taken: %v", password, err)
		}
	}
	for _, password := range []string{"a good password", "correct horse battery", "kD9#vq2Lmw", "rivet-lagoon-31-cello", "T7mzQp4w", "पानी की तीन बोतलें", "wintergreen tulips",
		"x3Kq-82hf-mmop", "482913650172845"} {
		if err := a.choosable(password, "asha@example.com"); err != nil {
			t.Errorf("%s is refused: %v", password, err)
		}
	}
	if err := a.choosable("short", "asha@example.com"); err == nil || code(err) != "short_password" {
		t.Errorf("a short one gives %v", err)
	}
}
