(** Swizzle(B,M,S) (model/swizzle.py) on integers of every length, in two's complement as Python's are. *)
From Coq Require Import ZArith Lia Bool.
Open Scope Z_scope.

(** Y: B bits from M + max(S, 0) up. *)
Definition source_mask (B M S : Z) : Z := Z.shiftl (Z.ones B) (M + Z.max S 0).

(** x XOR ((x AND Y) shifted by S), down where S ≥ 0, up where S < 0. *)
Definition swizzle (B M S x : Z) : Z := Z.lxor x (Z.shiftr (Z.land x (source_mask B M S)) S).

(** The bits that are changed. *)
Definition target (B M S k : Z) : bool := (M + Z.max (- S) 0 <=? k) && (k <? M + Z.max (- S) 0 + B).

Lemma swizzle_bit B M S x k : 0 <= B -> 0 <= M -> 0 <= k ->
  Z.testbit (swizzle B M S x) k = xorb (Z.testbit x k) (target B M S k && Z.testbit x (k + S)).
Proof.
  intros HB HM Hk. unfold swizzle, source_mask. rewrite Z.lxor_spec, Z.shiftr_spec, Z.land_spec by assumption. f_equal.
  destruct (Z_lt_le_dec (k + S) 0) as [L|L].
  - rewrite Z.testbit_neg_r by assumption. now rewrite andb_false_r.
  - rewrite Z.shiftl_spec, Z.testbit_ones by lia. rewrite andb_comm. f_equal. unfold target.
    destruct (Z.leb_spec 0 (k + S - (M + Z.max S 0))), (Z.ltb_spec (k + S - (M + Z.max S 0)) B),
      (Z.leb_spec (M + Z.max (- S) 0) k), (Z.ltb_spec k (M + Z.max (- S) 0 + B)); cbn; lia || reflexivity.
Qed.

Lemma bits_equal x y : (forall k, 0 <= k -> Z.testbit x k = Z.testbit y k) -> x = y.
Proof. intros H. apply Z.bits_inj'. exact H. Qed.

Lemma target_spec B M S k : target B M S k = true <-> M + Z.max (- S) 0 <= k < M + Z.max (- S) 0 + B.
Proof. unfold target. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. reflexivity. Qed.

(** |S| ≥ B: its own inverse. *)
Theorem swizzle_involution B M S x : 0 <= B -> 0 <= M -> B <= Z.abs S -> swizzle B M S (swizzle B M S x) = x.
Proof.
  intros HB HM HS. apply bits_equal. intros k Hk. rewrite !swizzle_bit by assumption.
  destruct (target B M S k) eqn:T; [|now rewrite !andb_false_l, !xorb_false_r].
  apply target_spec in T. rewrite swizzle_bit by lia.
  destruct (target B M S (k + S)) eqn:T'; [apply target_spec in T'; lia|].
  rewrite !andb_true_l, andb_false_l, xorb_false_r. destruct (Z.testbit x k), (Z.testbit x (k + S)); reflexivity.
Qed.

(** 0 < |S| < B: it is not. *)
Theorem swizzle_no_involution B M S : 0 <= M -> 0 < Z.abs S < B -> exists x, 0 <= x /\ swizzle B M S (swizzle B M S x) <> x.
Proof.
  intros HM HS. set (k := if S <? 0 then M - S + B - 1 else M). assert (Hk : 0 <= k) by (subst k; destruct (Z.ltb_spec S 0); lia).
  assert (H2 : 0 <= k + S + S) by (subst k; destruct (Z.ltb_spec S 0); lia).
  exists (2 ^ (k + S + S)). split; [lia|]. intros E. apply (f_equal (fun z => Z.testbit z k)) in E. revert E.
  assert (T1 : target B M S k = true) by (apply target_spec; subst k; destruct (Z.ltb_spec S 0); lia).
  assert (T2 : target B M S (k + S) = true) by (apply target_spec; subst k; destruct (Z.ltb_spec S 0); lia).
  rewrite swizzle_bit by lia. rewrite T1. rewrite !swizzle_bit by lia. rewrite T1, T2, !andb_true_l.
  rewrite !Z.pow2_bits_eqb by lia. rewrite Z.eqb_refl.
  destruct (Z.eqb_spec (k + S + S) k), (Z.eqb_spec (k + S + S) (k + S)); try lia. cbn. discriminate.
Qed.

(** Bits below M and from M + B + |S| on stay: each aligned block of 2^(M+B+|S|) goes into itself. *)
Theorem swizzle_outside B M S x k : 0 <= B -> 0 <= M -> 0 <= k -> k < M \/ M + B + Z.abs S <= k ->
  Z.testbit (swizzle B M S x) k = Z.testbit x k.
Proof.
  intros HB HM Hk H. rewrite swizzle_bit by assumption. destruct (target B M S k) eqn:T; [apply target_spec in T; lia|].
  apply xorb_false_r.
Qed.

Theorem swizzle_block B M S x : 0 <= B -> 0 <= M ->
  swizzle B M S x / 2 ^ (M + B + Z.abs S) = x / 2 ^ (M + B + Z.abs S).
Proof.
  intros HB HM. rewrite <- !Z.shiftr_div_pow2 by lia. apply bits_equal. intros k Hk. rewrite !Z.shiftr_spec by assumption.
  apply swizzle_outside; lia.
Qed.

(** S ≠ 0: one-to-one, on all integers. *)
Theorem swizzle_injective B M S x y : 0 <= B -> 0 <= M -> S <> 0 -> swizzle B M S x = swizzle B M S y -> x = y.
Proof.
  intros HB HM HS E. apply bits_equal.
  assert (G : forall n, 0 <= n -> forall k, 0 <= k -> (if S <? 0 then k - (M - S) + 1 else M + B - k) <= n ->
    Z.testbit x k = Z.testbit y k).
  { intros n Hn. pattern n. apply natlike_ind; [| |assumption].
    - intros k Hk Hd. pose proof (f_equal (fun z => Z.testbit z k) E) as E'. cbn beta in E'.
      rewrite !swizzle_bit in E' by assumption. destruct (target B M S k) eqn:T.
      + apply target_spec in T. destruct (Z.ltb_spec S 0); lia.
      + now rewrite !andb_false_l, !xorb_false_r in E'.
    - intros m Hm IH k Hk Hd. pose proof (f_equal (fun z => Z.testbit z k) E) as E'. cbn beta in E'.
      rewrite !swizzle_bit in E' by assumption. destruct (target B M S k) eqn:T.
      + apply target_spec in T. rewrite (IH (k + S)) in E'; [|lia|destruct (Z.ltb_spec S 0); lia].
        rewrite !andb_true_l in E'. destruct (Z.testbit x k), (Z.testbit y k), (Z.testbit y (k + S)); auto.
      + now rewrite !andb_false_l, !xorb_false_r in E'. }
  intros k Hk. apply (G (Z.max 0 (if S <? 0 then k - (M - S) + 1 else M + B - k))); lia.
Qed.

(** S = 0: every target bit is cleared, so it is no bijection where B > 0. *)
Theorem swizzle_clears B M x k : 0 <= B -> 0 <= M -> 0 <= k -> target B M 0 k = true -> Z.testbit (swizzle B M 0 x) k = false.
Proof.
  intros HB HM Hk T. rewrite swizzle_bit by assumption. rewrite T, Z.add_0_r, andb_true_l. apply xorb_nilpotent.
Qed.

Theorem swizzle_0_not_injective B M : 0 < B -> 0 <= M -> swizzle B M 0 (2 ^ M) = swizzle B M 0 0.
Proof.
  intros HB HM. apply bits_equal. intros k Hk. rewrite !swizzle_bit by lia. rewrite Z.add_0_r, Z.testbit_0_l by lia.
  rewrite Z.pow2_bits_eqb by assumption. destruct (Z.eqb_spec M k) as [<-|].
  - replace (target B M 0 M) with true by (symmetry; apply target_spec; lia). reflexivity.
  - rewrite andb_false_r. reflexivity.
Qed.
