(** Completeness (paper 2.4.3), pointwise: every f on 0 … N-1 with f(0) = 0 is a chain of layouts, value by value. *)
From Veritile Require Import Modes.

(** (k,1):(1,2(k-1)) sends k to 2(k-1) and what is below k to itself. *)
Definition layer (k x : Z) : Z := value [(k, 1); (1, 2 * (k - 1))] x.

(** (3,1):(1,4) ∘ (4,1):(1,6) ∘ … ∘ (n+2,1):(1,2(n+1)): the last factor first. *)
Fixpoint layers (n : nat) (x : Z) : Z :=
  match n with O => x | S n => layers n (layer (Z.of_nat (S n) + 2) x) end.

(** (2,2,…,2):(f(1),f(2),…,f(n)) *)
Definition twos (f : Z -> Z) (n : nat) : modes := map (fun k => (2, f (Z.of_nat k))) (seq 1 n).

Lemma layer_below k x : 0 <= x < k -> layer k x = x.
Proof.
  intros H. unfold layer. rewrite value_step by congruence. cbn [value].
  rewrite Z.mod_small, Z.div_small by lia. lia.
Qed.

Lemma layer_top k t : 1 <= k -> layer k (k * t) = 2 * (k - 1) * t.
Proof.
  intros H. unfold layer. replace (k * t) with (0 + k * t) by lia. rewrite value_digits_all by (lia || congruence).
  cbn [value]. lia.
Qed.

Lemma layers_top n : forall t, layers n ((Z.of_nat n + 2) * t) = 2 ^ Z.of_nat n * (2 * t).
Proof.
  induction n as [|n IH]; intros t; [cbn [layers]; change (2 ^ Z.of_nat 0) with 1; lia|].
  cbn [layers]. rewrite layer_top by lia.
  replace (2 * (Z.of_nat (S n) + 2 - 1) * t) with ((Z.of_nat n + 2) * (2 * t)) by lia. rewrite IH.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

(** The layers send i to 2^(i-1). *)
Lemma layers_powers n : forall i, 1 <= i <= Z.of_nat n + 2 -> layers n i = 2 ^ (i - 1).
Proof.
  induction n as [|n IH]; intros i Hi.
  - cbn [layers]. assert (H : i = 1 \/ i = 2) by lia. destruct H as [-> | ->]; reflexivity.
  - destruct (Z.eq_dec i (Z.of_nat (S n) + 2)) as [->|].
    + replace (Z.of_nat (S n) + 2) with ((Z.of_nat (S n) + 2) * 1) at 1 by lia. rewrite layers_top.
      replace (Z.of_nat (S n) + 2 - 1) with (Z.succ (Z.of_nat (S n))) by lia. rewrite Z.pow_succ_r by lia. lia.
    + cbn [layers]. rewrite layer_below by lia. apply IH. lia.
Qed.

Lemma layers_0 n : layers n 0 = 0.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [layers]. rewrite layer_below by lia. exact IH. Qed.

Lemma twos_power g n k : (k < n)%nat -> value (map (fun j => (2, g j)) (seq 1 n)) (2 ^ Z.of_nat k) = g (S k).
Proof.
  intros H. assert (G : forall n a k, (k < n)%nat -> value (map (fun j => (2, g j)) (seq a n)) (2 ^ Z.of_nat k) = g (a + k)%nat).
  { clear. induction n as [|n IH]; intros a k H; [lia|]. cbn [seq map]. destruct k as [|k].
    - change (2 ^ Z.of_nat 0) with 1. rewrite Nat.add_0_r. destruct n as [|n]; [cbn; lia|].
      rewrite value_step by (cbn; congruence). change (1 mod 2) with 1. change (1 / 2) with 0. rewrite value_0. lia.
    - destruct n as [|n]; [lia|]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
      replace (2 * 2 ^ Z.of_nat k) with (0 + 2 * 2 ^ Z.of_nat k) by lia.
      rewrite value_digits_all by (lia || (cbn; congruence)). rewrite IH by lia. rewrite Z.mul_0_r, Z.add_0_l.
      f_equal. lia. }
  rewrite G by assumption. reflexivity.
Qed.

(** [2.4.3], pointwise, each layout evaluated as the paper defines, out of bounds too; N = n + 3. *)
Theorem completeness f n i : f 0 = 0 -> 0 <= i < Z.of_nat n + 3 -> value (twos f (n + 2)) (layers n i) = f i.
Proof.
  intros F0 Hi. destruct (Z.eq_dec i 0) as [->|].
  - rewrite layers_0, value_0. now symmetry.
  - rewrite layers_powers by lia. replace (i - 1) with (Z.of_nat (Z.to_nat (i - 1))) by lia.
    unfold twos. rewrite (twos_power (fun k => f (Z.of_nat k))) by lia. f_equal. lia.
Qed.

(** What f(0) = 0 is for: no layout sends 0 elsewhere. *)
Theorem completeness_needs_0 A : value A 0 = 0.
Proof. apply value_0. Qed.
